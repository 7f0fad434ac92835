import javax.swing.JButton;
import javax.swing.JFrame;
import javax.swing.JLabel;
import javax.swing.JPanel;
import javax.swing.JTextField;
import javax.swing.SwingUtilities;

/** A window of Swing with a field, a button and a label that says what was done. */
public class Greeting {
    public static void main(String[] arguments) {
        SwingUtilities.invokeLater(Greeting::show);
    }

    private static void show() {
        JFrame frame = new JFrame("Greeting");
        JLabel said = new JLabel("nothing yet");
        JTextField name = new JTextField("Ada", 12);
        JButton greet = new JButton("Greet");
        greet.addActionListener(event -> said.setText("Hello " + name.getText()));
        JPanel panel = new JPanel();
        panel.add(name);
        panel.add(greet);
        panel.add(said);
        frame.add(panel);
        frame.setDefaultCloseOperation(JFrame.EXIT_ON_CLOSE);
        frame.pack();
        frame.setVisible(true);
    }
}
