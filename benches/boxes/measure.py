"""Has headless Chromium measure the box of every element of the labelled pages, scripts off, 1280 px wide.

    python3 measure.py PAGES_FOLDER OUTPUT_FOLDER        (needs websocket-client from PyPI)

Every `*.kuai.html` below PAGES_FOLDER gives one JSON file in OUTPUT_FOLDER, named for its site's folder:
`{"width", "height", "elements": [[path, tag, holds_text, x, y, width, height], ...]}`, where path is the
indexes among element siblings from `html` down. A page that was measured already is left alone.
"""
import glob, json, os, subprocess, sys, tempfile, time, urllib.parse, urllib.request

import websocket

FLAGS = ("--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
         "--disable-component-update --disable-sync --hide-scrollbars --allow-file-access-from-files "
         "--host-resolver-rules=MAP\t*\t~NOTFOUND --window-size=1280,1024 --remote-allow-origins=* --remote-debugging-port=0").split(" ")
MEASURE = """
(() => {
  const out = [];
  const stack = [[document.documentElement, ""]];
  while (stack.length) {
    const [element, path] = stack.pop();
    const box = element.getBoundingClientRect();
    let text = 0;
    for (const child of element.childNodes) if (child.nodeType === 3 && /[^ \\t\\n\\f\\r]/.test(child.data)) text = 1;
    if (getComputedStyle(element).visibility !== "visible") text = 0;
    out.push([path, element.localName, text, box.x, box.y, box.width, box.height]);
    const children = element.children;
    for (let i = children.length - 1; i >= 0; i--) stack.push([children[i], path + "/" + i]);
  }
  const root = document.documentElement;
  return JSON.stringify({width: root.scrollWidth, height: root.scrollHeight, elements: out});
})()
"""


class Browser:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        flags = [flag.replace("\t", " ") for flag in FLAGS]
        self.process = subprocess.Popen(["/usr/bin/chromium", *flags, f"--user-data-dir={self.folder.name}", "about:blank"],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port_file = os.path.join(self.folder.name, "DevToolsActivePort")
        while not os.path.exists(port_file) or not open(port_file).read().strip():
            time.sleep(0.1)
        port = open(port_file).read().split()[0]
        pages = [p for p in json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json")) if p["type"] == "page"]
        self.socket = websocket.create_connection(pages[0]["webSocketDebuggerUrl"], timeout=60)
        self.count = 0
        for method, params in (("Page.enable", {}), ("Emulation.setScriptExecutionDisabled", {"value": True}),
                               ("Emulation.setDeviceMetricsOverride", {"width": 1280, "height": 1024, "deviceScaleFactor": 1, "mobile": False})):
            self.call(method, **params)

    def call(self, method, **params):
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": params}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == self.count:
                return message.get("result", message)

    def wait_for(self, event, seconds):
        end = time.time() + seconds
        while time.time() < end:
            self.socket.settimeout(max(0.1, end - time.time()))
            try:
                if json.loads(self.socket.recv()).get("method") == event:
                    break
            except websocket.WebSocketTimeoutException:
                break
        self.socket.settimeout(60)

    def measure(self, path):
        self.call("Page.navigate", url="file://" + urllib.parse.quote(os.path.abspath(path)))
        self.wait_for("Page.loadEventFired", 25)
        return self.call("Runtime.evaluate", expression=MEASURE)["result"]["value"]


def main():
    pages, output = sys.argv[1], sys.argv[2]
    os.makedirs(output, exist_ok=True)
    browser = Browser()
    for path in sorted(glob.glob(os.path.join(pages, "**", "*.kuai.html"), recursive=True)):
        target = os.path.join(output, os.path.relpath(path, pages).split(os.sep)[0] + ".json")
        if os.path.exists(target):
            continue
        result = browser.measure(path)
        with open(target, "w") as file:
            file.write(result)
        print(os.path.basename(target), len(result), flush=True)
    browser.process.terminate()
    browser.process.wait()


main()
