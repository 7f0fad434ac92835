"""A tool of your own: `-c 'functions=["own_tool:stock"]'` in the folder of this file.

The name, the docstring and the annotations are what models are told; a model calls it as
`call_tool(tool="stock", arguments={"article": "tea"})`.
"""

SHELVES = {"tea": 12, "coffee": 0}


def stock(article: str, *, unit: str = "boxes") -> str:
    """Say how much of an article is in stock."""
    if article not in SHELVES:
        raise LookupError(f"there is no article {article!r}; there are {', '.join(SHELVES)}")
    return f"{SHELVES[article]} {unit} of {article}"
