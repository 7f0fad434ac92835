"""The embedded model on requests in Chinese: they read as their English twins do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from deskhand.core.observation import Application
from deskhand.models.literal import explain
from deskhand.models.literal.clauses import Clause, read_clause
from deskhand.perception.description import read_description
from deskhand.perception.naming import NO_MATCH, distance
from tests.test_literal_host import APPLICATIONS, FORM

BROWSER = Application(id="chromium", name="Chromium", categories=("WebBrowser",), default_for=("text/html",))
INSTALLED = (*APPLICATIONS, BROWSER)
PAIRS = (
    # applications and windows
    ("open the calculator", "打开计算器"),
    ("open the text editor", "启动文本编辑器"),
    ("open the text editor", "打开记事本"),
    ("open the file manager", "打开文件管理器"),
    ("open the terminal", "打开终端"),
    ("open the web browser", "打开浏览器"),
    ("open mousepad", "请打开 Mousepad"),
    ("go to the calculator", "切换到计算器"),
    ("in the calculator, press 7", "在计算器里，按7"),
    ("In the calculator, compute 3+4", "在计算器中计算3+4"),
    ("write “x” with FeatherPad", "用FeatherPad写“x”"),
    ("open mousepad and type “x”", "打开mousepad并输入“x”"),
    ("open mousepad, type “x” and save", "打开mousepad输入“x”，保存"),
    ("what is 2 + 2? Use galculator.", "2 + 2 等于多少？用galculator。"),
    ("close the window", "关闭窗口"),
    ("close the window without saving", "不保存就关闭窗口"),
    ("close the window without saving", "关闭窗口，不保存"),
    ("close without saving", "不保存直接退出"),
    ("quit", "退出"),
    ("minimize the window", "最小化窗口"),
    ("maximize the window", "把窗口最大化"),
    ("restore the window", "还原窗口"),
    ("unmaximize the window", "取消窗口最大化"),
    ("move the window to 30, 40", "把窗口移动到 30，40"),
    ("resize the window to 800 x 600", "将窗口大小调整为８００×６００"),
    ("minimize the Order Form window", "最小化Order Form窗口"),
    # pointing
    ("click OK", "点击OK"),
    ("click “OK”", "点击“OK”"),
    ("click “OK”", "单击「OK」"),
    ("click “OK”", "点一下『OK』"),
    ("click “OK”", "请帮我点击《OK》"),
    ("click 'Save', then press Enter", "麻烦点击‘Save’，然后按Enter"),
    ("double-click “File 1”", "双击“File 1”"),
    ("right-click the icon", "右键点击图标"),
    ("right-click “File 1”", "在“File 1”上点击右键"),
    ("open the context menu of “File 1”", "打开“File 1”的右键菜单"),
    ("middle-click “File 1”", "用鼠标中键点击“File 1”"),
    ("click Next three times", "点击三次Next"),
    ("press the Save button twice", "按两次Save按钮"),
    ("click “A”, “B” and “C”", "点击“A”、“B”和“C”"),
    ("click OK and close the window", "点击OK再关闭窗口"),
    ("hover over Help", "把鼠标移到Help上"),
    ("focus the Name field", "把光标放到Name输入框里"),
    ("drag “File 1” onto “Folder 2”", "把“File 1”拖到“Folder 2”上"),
    ("scroll down to Item 40 and click it", "向下滚动到Item 40，然后点击它"),
    ("click Next until Finish appears", "点击Next，直到Finish出现"),
    ("if Notice appears, click Continue", "如果出现Notice，就点击Continue"),
    ("When the dialog appears, press OK.", "当对话框出现时，按OK。"),
    # menus and tabs
    ("View > Zoom > In", "View > Zoom > In"),
    ("choose View > Zoom > In", "选择 View → Zoom → In"),
    ("choose File > Save As", "点击菜单“File”>“Save As”"),
    ("Open the File menu", "打开File菜单"),
    ("From the File menu, choose Save As", "从File菜单中选择Save As"),
    ("choose Save As from the File menu", "点击文件菜单里的另存为"),
    ("In the View menu, check Status Bar", "在View菜单里勾选Status Bar"),
    ("In the View menu, uncheck Status Bar", "在“查看”菜单中取消勾选“状态栏”"),
    ("On the Advanced tab, tick Verbose", "在Advanced标签页上，勾选Verbose"),
    ("switch to the Advanced tab", "切换到高级选项卡"),
    ("click the “Sizes” tab", "点击“Sizes”标签页"),
    # switches and choices
    ("tick Verbose", "勾选Verbose"),
    ("untick Verbose", "取消勾选Verbose"),
    ("turn on Autosave", "启用Autosave"),
    ("turn off Autosave", "禁用Autosave"),
    ("turn on Night Light", "打开Night Light开关"),
    ("turn off Night Light", "关闭Night Light开关"),
    ("put a check mark next to “I agree”", "在“I agree”前面打勾"),
    ("hide the status bar", "隐藏状态栏"),
    ("show line numbers", "显示行号"),
    ("toggle Bold", "切换Bold的状态"),
    ("choose “Large” from the Size list", "从Size列表中选择“Large”"),
    ("choose “Large”", "选择“Large”"),
    ("choose Large as Size", "选择Large作为Size"),
    ("select Item 40", "选中Item 40"),
    ("set the quantity to 7", "把数量设为7"),
    ("set the Volume slider to 40", "将Volume滑块拖到40"),
    ("set Volume to 40%", "把Volume调到４０%"),
    ("increase the quantity by 3", "把数量增加3"),
    ("decrease the quantity by 3", "将数量减少三"),
    ("increase the volume", "把音量调高一点"),
    ("expand “Details”", "展开“Details”"),
    ("collapse “Details”", "折叠“Details”"),
    # texts
    ("type “hello”", "输入“hello”"),
    ("type “你好，再见”", "输入“你好，再见”"),
    ("type “再见”", "输入再见"),
    ("type “hello” into the Name field", "在Name输入框里输入“hello”"),
    ("type “hello” into “Name”", "把“hello”输入到“Name”中"),
    ("fill in “Name” with “Anna”", "在“Name”中填写“Anna”"),
    ("fill in “Name” with “Anna”", "用“Anna”填写“Name”"),
    ("Fill in the form with Name: Anna, Age: 30", "填写表单：Name：Anna，Age：30"),
    ("type “a” three times", "输入“a”三次"),
    ("append “x” to /tmp/a.txt", "在/tmp/a.txt末尾追加“x”"),
    ("append “x”", "在末尾添加“x”"),
    ("add the line “x”", "添加一行“x”"),
    ("prepend “x”", "在开头加上“x”"),
    ("replace all “cat” with “dog”", "把所有“cat”替换成“dog”"),
    ("find and replace “cat” with “dog”", "查找并替换“cat”为“dog”"),
    ("delete the word “cat”", "删除单词“cat”"),
    ("clear everything", "清空所有内容"),
    ("clear the Name field", "清空Name输入框"),
    ("search for “cat”", "查找“cat”"),
    ("search for “cat” in “Index”", "在“Index”中搜索“cat”"),
    ("go to line 12", "转到第十二行"),
    ("do not save", "不要保存"),
    ("do not click OK", "别点击OK"),
    # keys
    ("press Ctrl+S", "按Ctrl+S"),
    ("press Ctrl+Shift+S", "按下Ctrl+Shift+S"),
    ("press Ctrl+S", "按Ｃｔｒｌ＋Ｓ"),
    ("press Enter", "按回车"),
    ("press the Tab key twice", "按两次Tab键"),
    ("press the Escape key", "按Escape键"),
    ("press Ctrl+A and then press Delete", "按Ctrl+A再按Delete"),
    ("press the space key", "按空格键"),
    ("press the down key three times", "按三次向下键"),
    ("Save the file by pressing Ctrl+S", "按Ctrl+S保存文件"),
    # commands
    ("select all, copy and paste", "全选，复制，然后粘贴"),
    ("cut", "剪切"),
    ("undo twice", "撤销两次"),
    ("redo", "重做"),
    ("print", "打印"),
    ("zoom in, then zoom out", "放大，然后缩小"),
    ("refresh", "刷新页面"),
    ("full screen", "全屏"),
    ("go back", "返回上一页"),
    ("go to the end", "把光标移到末尾"),
    ("open the preferences", "打开首选项"),
    ("open the about dialog", "打开关于对话框"),
    ("open a new tab", "新建标签页"),
    ("open a new window", "打开一个新窗口"),
    ("close the tab", "关闭标签页"),
    ("answer yes", "回答是"),
    ("answer no", "回答否"),
    ("cancel", "取消"),
    # files
    ("save", "保存文件"),
    ("save it under “/tmp/a.txt”", "另存为“/tmp/a.txt”"),
    ("save it under “/tmp/a.txt”", "保存到/tmp/a.txt"),
    ("save it under “/tmp/a.txt”", "把文件以“/tmp/a.txt”为名保存"),
    ("save it as a.txt in the folder /tmp", "保存到/tmp文件夹，文件名为a.txt"),
    ("open the file “/tmp/a.txt”", "打开文件“/tmp/a.txt”"),
    ("open /tmp/a.txt", "打开 /tmp/a.txt"),
    ("open the folder /tmp/", "打开文件夹/tmp/"),
    ("create a text file called “/tmp/n.txt” with the content “abc”", "新建文本文件“/tmp/n.txt”，内容为“abc”"),
    ("create a new folder called “Plans”", "新建一个名为“Plans”的文件夹"),
    ("create a new appointment called “Dentist”", "新建一个appointment，名为“Dentist”"),
    ("rename “a” to “b”", "把“a”重命名为“b”"),
    ("delete the file a.txt", "删除文件a.txt"),
    ("move “a” to the trash", "把“a”移到回收站"),
    ("sort the list by Size", "按Size排序"),
    ("sort the processes by PID", "将processes按PID排序"),
    ("open https://example.org", "访问 https://example.org"),
    ("in the web browser, open example.org", "在浏览器里打开example.org"),
    ("run the command “ls”", "运行命令“ls”"),
    ("In the terminal, run the command “ls”", "在终端里运行命令“ls”"),
    # values
    ("compute 12.5 * 8", "计算 12.5 乘以 8"),
    ("what is 2+3", "二加三等于几？"),
    ("what is 12% of 80?", "80的12%是多少？"),
    ("compute √(16)", "计算16的平方根"),
    ("compute (12+8)/4", "计算（12+8）除以4"),
    ("press 7, then multiply by 6", "按7，再乘以6"),
    ("read the Total", "读取Total"),
    ("what is the Total?", "Total是多少？"),
    ("tell me what the display says", "告诉我显示屏显示什么"),
    ("what does “Status” say", "“Status”显示什么"),
    ("compute 2+2 and write the result into a new text file", "计算2+2，并把结果写到新文本文件里"),
    (
        "compute 12.5 * 8 in the calculator, write the result in the text editor, save it under “/tmp/a.txt”",
        "请在计算器里计算 12.5×8，然后把结果写到文本编辑器里，最后另存为“/tmp/a.txt”。",
    ),
    ("copy “Total” to “Age”", "把“Total”复制到“Age”里"),
    # waiting and checking
    ("wait 3 seconds, click OK", "等待3秒后点击OK"),
    ("wait a moment", "稍等一下"),
    ("wait for “Done” to appear", "等“Done”出现"),
    ("wait for “Loading” to disappear", "等待“Loading”消失"),
    ("wait until it says Done", "等到它显示Done"),
    ("make sure “Bold” is checked", "确保“Bold”已勾选"),
    ("make sure “Bold” is unchecked", "确认“Bold”未选中"),
    ("make sure “OK” is visible", "检查“OK”是否存在"),
    ("make sure “Total” says “42”", "确认“Total”显示“42”"),
    # scrolling
    ("scroll down", "向下滚动"),
    ("scroll up 3 lines", "向上滚动三行"),
    ("scroll to the bottom", "滚动到底部"),
    ("scroll to the top", "一直滚动到最上面"),
    ("scroll until you see “Item 40”", "向下滚动直到看到“Item 40”"),
    # ways of speaking
    ("open the calculator", "你能帮我打开计算器吗？"),
    ("type “明天开会”, save it under “/tmp/x.txt”", "麻烦你写下“明天开会”，然后保存为/tmp/x.txt，谢谢！"),
    ("compute 100 - 37 in the calculator", "用计算器算一下 100 减 37"),
    ("what is 123 + 456", "一百二十三加四百五十六是多少"),
    ("what is (1) / (3)", "三分之一是多少"),
    ("set Volume to 50", "Volume调到50%"),
    ("untick “Remember me”", "取消“Remember me”的勾选"),
    ("choose “Wide” from “Mode”", "选中“Mode”下的“Wide”"),
    ("press the down key 3 times", "按向下键三次"),
    ("press F5", "按F5刷新"),
    ("press Ctrl+Shift+S", "按下Ctrl、Shift和S"),
    ("wait for “Done” to appear, click OK", "看到“Done”后点击OK"),
    ("in the settings turn on Beep", "在设置中启用Beep"),
    ("create a new folder called “Plans”", "新建文件夹“Plans”"),
    ("zoom in twice", "放大两次"),
    ("read the Number, put it into “Age”", "读取Number，然后把它输入到“Age”里"),
    ("read the number and put the number into “Age”", "读取number，把number输入到“Age”里"),
    ("run the command “uname”, tell me what it prints", "运行命令“uname”，告诉我输出了什么"),
    ("click the Save button", "按一下Save按鈕"),
    ("untick “Beep”", "取消核取「Beep」"),
    ("copy the selected text", "複製選取的文字"),
    ("wait 5 seconds", "等待五秒鐘"),
    ("search for “cat”", "尋找「cat」"),
    ("type “one” into the text editor", "把下面这段话写到记事本里：“one”"),
    ("save “abc” to /tmp/a.txt", "将“abc”保存到/tmp/a.txt"),
    ("replace all “a” with “b”, save and close", "把所有的“a”改成“b”，保存并关闭"),
    ("type “abc” in the 2nd field", "在第二个输入框里输入“abc”"),
    ("click “Next” until “Done” appears", "重复点击“Next”直到出现“Done”"),
    ("press 5, add 3 to it, multiply it by 2", "按5，把3加到结果上，结果乘以2"),
    ("open mousepad, type “x”", "①打开mousepad ②输入“x”"),
    ("open the terminal, run “ls”, copy the output to mousepad", "打开终端，运行“ls”，然后把输出复制到mousepad"),
    ("make sure “Price” says 42", "检查“Price”是否等于42"),
    ("type “x” into “Location” in the web browser", "在浏览器的“Location”里输入“x”"),
    ("what is the display", "请问现在显示屏上是多少？"),
    ("wait for “Done” to be enabled", "等到“Done”可用"),
    ("read the result in the calculator", "读取计算器里的结果"),
    # lists, steps and traditional letters
    ("1. Open the File menu\n2. Choose Print…\n3. Press Cancel", "1. 打开File菜单\n2. 选择Print…\n3. 按Cancel"),
    ("open the calculator, compute 3+4", "開啟計算機，計算 3+4"),
    ("click “OK”, save it under “/tmp/a.txt”", "點擊「OK」，儲存為「/tmp/a.txt」"),
    ("type “a” into “Name”, close the window", "請在「Name」裡輸入「a」，關閉視窗"),
    ("open the File menu", "打開File選單"),
    ("apply, log in", "应用，登录"),
    ("type “first\nsecond”, save", "输入以下内容：\nfirst\nsecond\n\n保存"),
)


def read(request: str) -> Iterator[tuple[str, Clause]]:
    """Give the application and the whole clause of each line that is explained."""
    for line in explain(request, INSTALLED, (FORM,)):
        clause = read_clause(line.text)
        assert clause is not None, line
        yield line.application, clause


def same(mine: str, its: str) -> bool:
    """Tell whether two descriptions, menu paths or texts are about the same, in whatever language."""
    steps = zip(mine.split(" > "), its.split(" > "), strict=True)
    return all(any(alike(one, other) for one, other in zip(meant(a), meant(b), strict=True)) for a, b in steps)


def meant(text: str) -> tuple[tuple[str, str], ...]:
    """Read a description as a mere name, and as a kind and a name."""
    ways = read_description(text)
    return ("", ways[0].name), (ways[-1].kind, ways[-1].name)


def alike(mine: tuple[str, str], its: tuple[str, str]) -> bool:
    return mine == its or (mine[0] == its[0] and distance(mine[1], its[1]) < NO_MATCH)


@pytest.mark.parametrize(("english", "chinese"), PAIRS, ids=[chinese for _, chinese in PAIRS])
def test_a_request_in_chinese_reads_as_the_same_in_english(english: str, chinese: str) -> None:
    mine, its = list(read(chinese)), list(read(english))

    assert [(app, c.kind, c.mode, c.when) for app, c in mine] == [(app, c.kind, c.mode, c.when) for app, c in its]
    for (_, chinese_clause), (_, english_clause) in zip(mine, its, strict=True):
        for name in ("target", "value", "to", "old", "menu", "what", "seen"):
            assert same(getattr(chinese_clause, name), getattr(english_clause, name)), (chinese_clause, english_clause)
        assert (chinese_clause.times, chinese_clause.amount) == (english_clause.times, english_clause.amount)


@pytest.mark.parametrize("chinese", [chinese for _, chinese in PAIRS])
def test_what_was_read_once_reads_the_same_again(chinese: str) -> None:
    texts = [line.text for line in explain(chinese, INSTALLED, (FORM,))]

    assert [line.text for line in explain("\n".join(texts), INSTALLED, (FORM,))] == texts
