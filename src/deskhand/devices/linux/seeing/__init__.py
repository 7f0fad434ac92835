"""What a desktop looks like: its picture and elements of one moment, and when it has come to rest."""
