(paint) => {
  const known = new WeakMap(); // node -> number, for as long as the node lives; never reused in this document
  const nodes = new Map(); // number -> WeakRef
  let last = 0;
  let changes = 0;
  let scrolled = 0;
  // What changed since `mark`, and how much each node changes in all: what does so with nobody acting, as clocks and
  // animations do, counts for more, and is no news soon.
  const fresh = new Set();
  const stirs = new WeakMap();
  const RESTLESS = 30;
  let acting = false;
  let gone = [];
  const touch = (node) => { if (acting && fresh.size < 500) fresh.add(node); };
  const restless = (node) => stirs.get(node) >= RESTLESS || stirs.get(node.parentNode) >= RESTLESS;
  const observer = new MutationObserver((records) => {
    const targets = new Set(records.map((r) => r.target));
    if ([...targets].some((target) => !restless(target))) changes += 1;
    for (const target of targets) stirs.set(target, (stirs.get(target) || 0) + (acting ? 1 : 10));
    for (const r of records) {
      if (r.type === 'childList') {
        r.addedNodes.forEach((n) => touch(n.nodeType === 1 ? n : r.target));
        for (const n of r.removedNodes) if (n.nodeType === 1 && known.has(n) && gone.length < 20) gone.push(n);
        if (!r.addedNodes.length) touch(r.target);
      } else touch(r.target.nodeType === 1 ? r.target : r.target.parentElement || r.target);
    }
  });
  const watched = new WeakSet();
  const watch = (root) => {
    if (watched.has(root)) return;
    watched.add(root);
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    root.addEventListener('scroll', () => { changes += 1; scrolled += 1; }, { capture: true, passive: true });
  };
  watch(document);
  // Pop-overs open without a change of the document.
  document.addEventListener('toggle', (event) => { changes += 1; touch(event.target); }, { capture: true, passive: true });

  const SKIPPED = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT', 'HEAD', 'META', 'LINK', 'TITLE', 'BR', 'WBR', 'SOURCE', 'TRACK', 'DATALIST', 'PARAM']);
  const BY_TAG = {
    A: 'link', AREA: 'link', BUTTON: 'button', SUMMARY: 'button', TEXTAREA: 'textbox', OPTION: 'option', OPTGROUP: 'group',
    H1: 'heading', H2: 'heading', H3: 'heading', H4: 'heading', H5: 'heading', H6: 'heading',
    IMG: 'img', SVG: 'img', CANVAS: 'img', VIDEO: 'video', AUDIO: 'audio', P: 'paragraph', LABEL: 'label', LEGEND: 'label',
    LI: 'listitem', UL: 'list', OL: 'list', MENU: 'list', TABLE: 'table', TR: 'row', TD: 'cell', TH: 'columnheader',
    DIALOG: 'dialog', PROGRESS: 'progressbar', METER: 'progressbar', HR: 'separator', NAV: 'navigation', FORM: 'form',
    FIELDSET: 'group', OUTPUT: 'status', IFRAME: 'document', FRAME: 'document', CODE: 'label', PRE: 'label', DETAILS: 'group',
  };
  const BY_TYPE = {
    button: 'button', submit: 'button', reset: 'button', image: 'button', file: 'button', color: 'button',
    checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton', password: 'password', hidden: '',
  };
  const CONTROLS = new Set(['link', 'button', 'textbox', 'searchbox', 'combobox', 'listbox', 'option', 'checkbox', 'radio', 'switch',
    'slider', 'spinbutton', 'password', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'tab', 'treeitem', 'scrollbar', 'gridcell']);
  const NAMED_BY_CONTENT = new Set([...CONTROLS, 'heading', 'cell', 'columnheader', 'rowheader', 'label', 'paragraph', 'listitem', 'tooltip', 'status', 'alert', 'caption']);
  NAMED_BY_CONTENT.delete('textbox'); NAMED_BY_CONTENT.delete('searchbox'); NAMED_BY_CONTENT.delete('combobox');
  NAMED_BY_CONTENT.delete('listbox'); NAMED_BY_CONTENT.delete('password'); NAMED_BY_CONTENT.delete('slider'); NAMED_BY_CONTENT.delete('spinbutton');
  const TIMED = new Set(['date', 'time', 'month', 'week', 'datetime-local']); // fields of their own kind, called so when nothing else names them
  const DRAWN = new Set(['checkbox', 'radio', 'switch', 'slider', 'img']); // often drawn by something else
  const RENAMED = { searchbox: 'textbox', gridcell: 'cell', rowheader: 'columnheader', image: 'img', alertdialog: 'dialog', none: '', presentation: '' };
  const INTERACTIVE = 'a[href],button,input:not([type=hidden]),select,textarea,summary,[role=button],[role=link],[role=checkbox],[role=tab],[role=menuitem],[role=option],[role=switch],[role=radio],[contenteditable=""],[contenteditable=true],[onclick]';

  const SVG = 'http://www.w3.org/2000/svg';
  const BOXED = new Set(['', 'button', 'link', 'label', 'cell', 'listitem', 'option', 'gridcell']);
  const WHOLE = 'a[href],button,label,summary,option,[role],[contenteditable]'; // has no parts to be told of
  const UNNAMED = new Set(['', 'button', 'link', 'img', 'option', 'listitem', 'cell']); // what a picture or a colour may name
  const SMALLEST = 6; // pixels of a side, of what has nothing but a colour
  const ICON = 32; // what is no larger is one picture, not many shapes
  const MOST_SHAPES = 150;
  const MOST_OPTIONS = 30; // of a list that is closed; a longer one is told by its name alone
  const closed = (el) => el.tagName === 'SELECT' && !(el.multiple || el.size > 1);

  const number = (node) => {
    let id = known.get(node);
    if (!id) { id = ++last; known.set(node, id); nodes.set(id, new WeakRef(node)); }
    return id;
  };
  const node = (id) => { const found = nodes.get(id)?.deref(); return found && found.isConnected ? found : null; };
  const flat = (text) => text.replace(/\s+/g, ' ').trim();
  const parentOf = (el) => el.assignedSlot || el.parentElement || (el.getRootNode() instanceof ShadowRoot ? el.getRootNode().host : null);
  const childrenOf = (el) => (el.shadowRoot ? (watch(el.shadowRoot), el.shadowRoot.childNodes) : el.tagName === 'SLOT' && el.assignedNodes().length ? el.assignedNodes() : el.childNodes);

  const speaks = (el) => { for (const c of childrenOf(el)) if (c.nodeType === 3 && /\S/.test(c.data)) return true; return false; };

  const roleOf = (el) => {
    const said = (el.getAttribute('role') || '').trim().split(/\s+/)[0];
    if (said) return said in RENAMED ? RENAMED[said] : said;
    const tag = el.tagName.toUpperCase();
    if (tag === 'INPUT') { const type = el.type; return type in BY_TYPE ? BY_TYPE[type] : el.list ? 'combobox' : 'textbox'; }
    if (tag === 'SELECT') return el.multiple || el.size > 1 ? 'listbox' : 'combobox';
    if (tag === 'A' && !el.hasAttribute('href')) return el.onclick || el.hasAttribute('onclick') ? 'link' : '';
    if (el.isContentEditable && !(el.parentElement && el.parentElement.isContentEditable)) return 'textbox';
    const acts = el.hasAttribute('onclick') || el.onclick || el.tabIndex >= 0 && el.hasAttribute('tabindex');
    // What holds controls listens for them.
    return BY_TAG[tag] || (acts && !el.querySelector(INTERACTIVE) ? 'button' : pointed(el));
  };
  // What a page lets a person click without saying what it is: the pointer becomes a hand over it.
  const hand = (el) => getComputedStyle(el).cursor === 'pointer';
  const pointed = (el) => {
    if (!hand(el) || el === document.body || el === document.documentElement) return '';
    const up = parentOf(el);
    if (up && hand(up)) return '';
    if ([...el.querySelectorAll('li,[role=option]')].slice(0, 40).some((item) => item.checkVisibility({ visibilityProperty: true }))) return ''; // it holds what is clicked
    return getComputedStyle(el).textDecorationLine.includes('underline') ? 'link' : 'button';
  };

  const textOf = (el, depth = 0) => {
    if (depth > 40) return '';
    let text = '';
    for (const child of childrenOf(el)) {
      if (child.nodeType === 3) text += child.data;
      else if (child.nodeType === 1 && !SKIPPED.has(child.tagName)) {
        if (child.getAttribute('aria-hidden') === 'true' || (child.checkVisibility && !child.checkVisibility({ visibilityProperty: true }))) continue;
        const tag = child.tagName.toUpperCase();
        if (tag === 'IMG') text += ` ${child.alt || ''} `;
        else if (tag === 'INPUT' || tag === 'SELECT' || tag === 'TEXTAREA') continue;
        else if (child.hasAttribute('aria-label')) text += ` ${child.getAttribute('aria-label')} `;
        else { const inner = textOf(child, depth + 1); text += getComputedStyle(child).display.startsWith('inline') ? inner : ` ${inner} `; }
      }
      if (text.length > 2000) break;
    }
    return text;
  };
  const nameOf = (el, role) => {
    const by = el.getAttribute('aria-labelledby');
    if (by) {
      const root = el.getRootNode();
      const text = flat(by.split(/\s+/).map((id) => { const at = root.getElementById && root.getElementById(id); return at ? textOf(at) : ''; }).join(' '));
      if (text) return text;
    }
    const label = flat(el.getAttribute('aria-label') || '');
    if (label) return label;
    const tag = el.tagName.toUpperCase();
    if (tag === 'INPUT' && ['button', 'submit', 'reset'].includes(el.type)) return flat(el.value || (el.type === 'submit' ? 'Submit' : el.type === 'reset' ? 'Reset' : ''));
    if (el.labels && el.labels.length) { const text = flat([...el.labels].map((l) => textOf(l)).join(' ')); if (text) return text; }
    if (tag === 'IMG' || tag === 'AREA' || (tag === 'INPUT' && el.type === 'image')) { if (el.alt) return flat(el.alt); }
    if (el.namespaceURI === SVG) { const title = el.querySelector(tag === 'SVG' ? 'title' : ':scope > title'); if (title) return flat(title.textContent); }
    if (tag === 'FIELDSET') { const legend = el.querySelector(':scope > legend'); if (legend) return flat(textOf(legend)); }
    if (tag === 'TABLE' && el.caption) return flat(textOf(el.caption));
    if (tag === 'OPTION' || tag === 'OPTGROUP') return flat(el.label || el.textContent);
    if (tag === 'IFRAME' || tag === 'FRAME') return flat(el.title || el.name || '');
    if (NAMED_BY_CONTENT.has(role)) { const text = flat(textOf(el)); if (text) return text; }
    return flat(el.getAttribute('title') || el.getAttribute('placeholder') || el.getAttribute('aria-description') || '') || (TIMED.has(el.type) ? el.type : '');
  };
  const valueOf = (el, role) => {
    const tag = el.tagName.toUpperCase();
    if (role === 'password') return '';
    if (tag === 'SELECT') return [...el.selectedOptions].map((o) => flat(o.label || o.textContent)).join(', ');
    if (tag === 'INPUT') return ['checkbox', 'radio', 'button', 'submit', 'reset', 'image'].includes(el.type) ? '' : el.type === 'file' ? [...el.files].map((f) => f.name).join(', ') : el.value;
    if (tag === 'TEXTAREA') return el.value;
    if (tag === 'PROGRESS' || tag === 'METER') return String(el.value);
    if (role === 'textbox' && el.isContentEditable) return el.innerText;
    if (el.hasAttribute('aria-valuetext')) return el.getAttribute('aria-valuetext');
    if (el.hasAttribute('aria-valuenow')) return el.getAttribute('aria-valuenow');
    if (tag === 'A' && el.href && !el.href.startsWith('javascript:')) return '';
    return '';
  };
  const focused = () => { let at = document.activeElement; while (at && at.shadowRoot && at.shadowRoot.activeElement) at = at.shadowRoot.activeElement; return at; };
  // What heads a branch of nested lists shows or hides the list below it, said or not; a link to elsewhere does neither.
  const branch = (el) => {
    const item = el.closest('li,[role=treeitem]');
    const below = item && item.querySelector(':scope > ul, :scope > ol, :scope > [role=group]');
    if (!below || !below.firstElementChild || below.contains(el) || el === item || /^[^#]/.test(el.getAttribute('href') || '')) return [];
    return [below.checkVisibility({ visibilityProperty: true }) ? 'expanded' : 'collapsed'];
  };
  const statesOf = (el, role, active) => {
    const states = [];
    const tag = el.tagName.toUpperCase();
    const aria = (name) => el.getAttribute(`aria-${name}`);
    if (el === active && tag !== 'BODY') states.push('focused');
    if (el.indeterminate || aria('checked') === 'mixed') states.push('mixed');
    else if (el.checked === true || aria('checked') === 'true') states.push('checked');
    if ((tag === 'OPTION' && el.selected) || aria('selected') === 'true' || (aria('current') && aria('current') !== 'false')) states.push('selected');
    if (aria('pressed') === 'true') states.push('pressed');
    if (aria('expanded') === 'true' || (tag === 'SUMMARY' && el.parentElement.open)) states.push('expanded');
    else if (aria('expanded') === 'false' || (tag === 'SUMMARY' && !el.parentElement.open)) states.push('collapsed');
    else if (!aria('haspopup')) states.push(...branch(el));
    if (el.matches(':disabled') || aria('disabled') === 'true') states.push('disabled');
    if (role === 'textbox' || role === 'password' || role === 'spinbutton' || (role === 'combobox' && tag === 'INPUT')) {
      states.push(el.readOnly || aria('readonly') === 'true' ? 'readonly' : 'editable');
      if (tag === 'TEXTAREA' || el.isContentEditable || aria('multiline') === 'true') states.push('multiline');
    }
    if (aria('haspopup') && aria('haspopup') !== 'false') states.push('haspopup');
    if (aria('modal') === 'true' || (tag === 'DIALOG' && el.matches(':modal'))) states.push('modal');
    return states;
  };
  const actionsOf = (el, role) => {
    const tag = el.tagName.toUpperCase();
    if (tag === 'INPUT' && TIMED.has(el.type)) return ['set_value', 'focus'];
    if (tag === 'SELECT') return ['select', 'focus'];
    if (role === 'textbox' || role === 'password' || role === 'spinbutton') return ['set_text', 'focus'];
    if (role === 'slider') return ['set_value', 'focus'];
    if (CONTROLS.has(role)) return ['press', 'focus'];
    return hand(el) ? ['press'] : [];
  };

  // The topmost element at a place of the viewport, through shadow roots.
  const hit = (x, y) => {
    let at = document.elementFromPoint(x, y);
    while (at && at.shadowRoot) { const inner = at.shadowRoot.elementFromPoint(x, y); if (!inner || inner === at) break; at = inner; }
    return at;
  };
  const belongs = (at, el) => {
    for (let up = at; up; up = parentOf(up)) if (up === el) return true;
    for (let up = el; up; up = parentOf(up)) if (up === at) return at.tagName === 'LABEL' || up.contains(el) && (CONTROLS.has(roleOf(at)) || at === el);
    return Boolean(at && at.tagName === 'LABEL' && at.control === el) || Boolean(el.labels && [...el.labels].some((l) => l.contains(at)));
  };
  // Whether an element shows something that has to be loaded, or that cannot be looked into: another may take its place
  // under the pointer.
  const pictured = (el) => {
    if (el.shadowRoot || ['IMG', 'IFRAME', 'OBJECT', 'EMBED'].includes(el.tagName) || el.tagName.includes('-')) return true;
    const style = getComputedStyle(el);
    return `${style.content} ${style.backgroundImage}`.includes('url(');
  };
  // Places of an element where a click might reach it: the middles of its lines first, then near its corners.
  const places = (el) => {
    const seen = (r) => ({ left: Math.max(r.left, 0), top: Math.max(r.top, 0), right: Math.min(r.right, innerWidth), bottom: Math.min(r.bottom, innerHeight) });
    const rects = [...el.getClientRects()].map(seen).filter((r) => r.right - r.left >= 1 && r.bottom - r.top >= 1).slice(0, 4);
    const found = rects.map((r) => [(r.left + r.right) / 2, (r.top + r.bottom) / 2]);
    for (const r of rects.slice(0, 1)) for (const x of [0.1, 0.9]) for (const y of [0.2, 0.8]) found.push([r.left + (r.right - r.left) * x, r.top + (r.bottom - r.top) * y]);
    return found;
  };
  // The first of them that reaches it, and what lies over the middle when none does.
  const reach = (el, most = 9) => {
    let over = null;
    for (const [x, y] of places(el).slice(0, most)) {
      const at = hit(x, y);
      if (at && belongs(at, el)) return { x, y, over: null };
      over = over || at;
    }
    return { over };
  };
  const RGB = /rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)/;
  const colour = (text) => { const m = RGB.exec(text); return m ? [Number(m[1]), Number(m[2]), Number(m[3]), m[4] === undefined ? 1 : Number(m[4])] : null; };
  // What lies behind an element: the colour, null where it is not one, and whether all of it is too faint to be seen.
  let behind = new Map();
  const ground = (el) => {
    if (!el) return { back: [255, 255, 255, 1], faint: false };
    let known = behind.get(el);
    if (!known) {
      const look = getComputedStyle(el);
      const own = look.backgroundImage === 'none' ? colour(look.backgroundColor) : null;
      const below = ground(parentOf(el));
      known = { back: own && own[3] === 0 ? below.back : own && own[3] > 0.9 ? own : null, faint: below.faint || Number(look.opacity) < 0.05 };
      behind.set(el, known);
    }
    return known;
  };
  // Whether a person sees nothing of a text: no size, no colour, or the colour of what lies behind it.
  const unseen = (el) => {
    const style = getComputedStyle(el);
    const { back, faint } = ground(el);
    if (faint || parseFloat(style.fontSize) < 2) return true;
    const ink = colour(style.webkitTextFillColor || style.color);
    if (!ink) return false;
    return ink[3] < 0.05 || Boolean(back) && Math.abs(back[0] - ink[0]) + Math.abs(back[1] - ink[1]) + Math.abs(back[2] - ink[2]) < 8;
  };
  const called = (el) => (el ? `${roleOf(el) || el.tagName.toLowerCase()} ${nameOf(el, NAMED_BY_CONTENT.has(roleOf(el)) ? roleOf(el) : 'label').slice(0, 60)}`.trim() : 'nothing');
  const about = (el) => {
    const role = roleOf(el);
    const value = String(valueOf(el, role));
    const more = el.tagName === 'INPUT' ? { type: el.type, min: el.min, max: el.max, step: el.step } : { type: el.tagName.toLowerCase() };
    return { role, name: nameOf(el, role), value, states: statesOf(el, role, focused()), multiple: Boolean(el.multiple), length: el.value === undefined ? value.length : el.value.length, ...more };
  };
  const held = new Map();
  const visible = new Set();
  const usable = () => [...document.querySelectorAll(INTERACTIVE)].slice(0, 500).filter((el) => el.checkVisibility({ visibilityProperty: true, opacityProperty: true }));
  const controls = () => [...document.querySelectorAll('input:not([type=hidden]):not([type=password]),select,textarea,output')].slice(0, 2000);
  const state = (el) => (el.type === 'checkbox' || el.type === 'radio' ? String(el.checked) : String(el.value));
  const shown = (el) => (el.type === 'checkbox' || el.type === 'radio' ? (el.checked ? 'on' : 'off') : String(el.value).slice(0, 160));
  const pulse = (id) => {
    const at = focused();
    const el = id ? node(id) : null;
    return { focus: at && at !== document.body ? called(at) : '', scrolled, place: [Math.round(scrollX), Math.round(scrollY)], about: id ? (el ? about(el) : { gone: true }) : null, said: [], changed: 0 };
  };

  const walk = (limit) => {
    const found = [];
    const frames = [];
    let more = 0;
    behind = new Map();
    const active = focused();
    const view = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const cut = (rect, clip) => ({ left: Math.max(rect.left, clip.left), top: Math.max(rect.top, clip.top), right: Math.min(rect.right, clip.right), bottom: Math.min(rect.bottom, clip.bottom) });
    const drawn = (el) => { const r = el.getBoundingClientRect(); return r.width > 2 && r.height > 2 && r.bottom > 0 && r.top < innerHeight && el.checkVisibility({ visibilityProperty: true }); };
    const empty = (rect) => rect.right - rect.left < 1 || rect.bottom - rect.top < 1;

    let depth = 0;
    const visit = (el, parent, clip, named) => {
      if (SKIPPED.has(el.tagName) || depth > 800) return;
      depth += 1;
      try { enter(el, parent, clip, named); } finally { depth -= 1; }
    };
    // A box with a colour or lines of its own around one text and nothing else is what a person takes for the thing.
    const holds = (el, role, rect) => {
      if (role && role !== 'listitem' || el.childElementCount > 2 || !el.firstElementChild || Math.min(rect.width, rect.height) < SMALLEST) return false;
      const said = [...el.children].filter((c) => c.textContent.trim());
      return said.length === 1 && !said[0].firstElementChild && !roleOf(said[0]) && Boolean(paint.box(el, ground(parentOf(el)).back));
    };
    let shapes = 0;
    const roomy = new Map();
    const spacious = (svg) => { if (!roomy.has(svg)) { const r = svg.getBoundingClientRect(); roomy.set(svg, Math.min(r.width, r.height) > ICON); } return roomy.get(svg); };
    // What an element looks like, where that is what a person would tell it by; "" for all else.
    const looks = (el, role, rect, own) => {
      if (el.ownerSVGElement) return paint.SHAPES.has(el.tagName) && shapes < MOST_SHAPES && spacious(el.ownerSVGElement) ? paint.drawing(el) : '';
      if (el.tagName === 'CANVAS') return paint.figure(el);
      if (!BOXED.has(role) || Math.min(rect.width, rect.height) < SMALLEST || el.namespaceURI === SVG) return '';
      if (!own && !CONTROLS.has(role) && (el.firstElementChild || rect.width * rect.height > innerWidth * innerHeight / 2)) return '';
      const box = paint.box(el, ground(parentOf(el)).back);
      return (own || role) && paint.gray(box) && (CONTROLS.has(role) || !box.includes('box')) ? '' : box;
    };
    const enter = (el, parent, clip, named) => {
      let rect = el.getBoundingClientRect();
      const out = rect.bottom <= clip.top || rect.top >= clip.bottom || rect.right <= clip.left || rect.left >= clip.right;
      if (out && rect.width && rect.height) {
        // Nothing of it is in sight; what it holds can be only where it sticks out.
        if (el.scrollHeight <= el.clientHeight + 1 && el.scrollWidth <= el.clientWidth + 1 || getComputedStyle(el).overflow !== 'visible') return;
      } else if (!rect.width && !rect.height && getComputedStyle(el).display === 'none') return;
      if (out) { for (const child of childrenOf(el)) if (child.nodeType === 1) visit(child, parent, clip, named); return; }
      // What takes clicks all over a large part of the page is no button: what it holds is what a person sees.
      const wide = el.childElementCount > 3 && rect.width * rect.height > innerWidth * innerHeight / 4 && !el.matches(WHOLE);
      const sort = el === document.body || el === document.documentElement ? '' : roleOf(el);
      const role = wide && sort === 'button' ? '' : sort;
      const own = !named && (speaks(el) || holds(el, role, rect));
      const look = named ? '' : looks(el, role, rect, own);
      if (look && empty(rect)) rect = { left: rect.left - 1, top: rect.top - 1, right: rect.right + 1, bottom: rect.bottom + 1 }; // a straight line
      const bare = named !== true && !own && (!role || UNNAMED.has(role)) && !el.firstElementChild;
      const seen = (bare && paint.pictured(el)) || look;
      const box = cut(rect, clip);
      const wanted = seen || role && (CONTROLS.has(role) || ['heading', 'img', 'dialog', 'alert', 'table', 'progressbar', 'document', 'status', 'video', 'tooltip', 'menu', 'menubar', 'tablist', 'tree'].includes(role)) || own;
      let here = parent;
      let inside = named;
      if (el.tagName === 'LABEL' && el.control && drawn(el.control)) inside = true;
      else if (wanted && !(role === 'img' && el.getAttribute('aria-hidden') === 'true')) {
        const gone = empty(box);
        const visible = el.checkVisibility ? el.checkVisibility({ visibilityProperty: true }) : true;
        if (visible && !gone && found.length < limit) {
          const control = CONTROLS.has(role);
          const name = nameOf(el, role || 'label') || (UNNAMED.has(role) ? seen : '');
          const states = statesOf(el, role, active);
          if (control && reach(el, 3).over) states.push('covered');
          if ((own || control && !DRAWN.has(role)) && (unseen(el) || box.right - box.left < 3 || box.bottom - box.top < 3)) states.push('hidden');
          if (name || control || role === 'document' || role === 'img' || role === 'dialog') {
            here = number(el);
            found.push([here, parent, role || (own ? 'label' : 'img'), name.slice(0, 500), String(valueOf(el, role)).slice(0, 2000), box.left, box.top, box.right, box.bottom, states, actionsOf(el, role), look]);
            shapes += Boolean(look);
            // What is told by its text has no parts, but for pictures in what is not said to be one control.
            if (NAMED_BY_CONTENT.has(role) || own) inside = named === true || el.matches(WHOLE) ? true : 'loosely';
          }
          if (el.tagName === 'IFRAME' || el.tagName === 'FRAME') frames.push([here, rect.left + el.clientLeft, rect.top + el.clientTop, box.left, box.top, box.right, box.bottom]);
        }
      }
      if (closed(el)) {
        if (here === known.get(el) && el.options.length <= MOST_OPTIONS) for (const o of el.options) {
          if (found.length < limit) found.push([number(o), here, 'option', flat(o.label || o.textContent).slice(0, 500), '', box.left, box.bottom, box.left, box.bottom, [...statesOf(o, 'option', active), 'offscreen'], ['select'], '']);
        }
        return;
      }
      const clips = el !== document.body && el !== document.documentElement && (el.scrollHeight > el.clientHeight + 1 || el.scrollWidth > el.clientWidth + 1) && !empty(rect) && getComputedStyle(el).overflow !== 'visible';
      const inner = clips ? cut(rect, clip) : clip;
      for (const child of childrenOf(el)) if (child.nodeType === 1) visit(child, here, inner, inside);
    };
    if (document.body) visit(document.body, 0, view, false);
    const listed = new Set(found.filter((e) => CONTROLS.has(e[2])).map((e) => e[0]));
    for (const el of document.querySelectorAll(INTERACTIVE)) if (el.offsetParent && !listed.has(known.get(el))) more += 1;
    return { elements: found, frames, more, scroll: [scrollX, scrollY, document.documentElement.scrollWidth, document.documentElement.scrollHeight, innerWidth, innerHeight], ratio: devicePixelRatio, title: document.title };
  };

  return {
    walk: (limit) => JSON.stringify(walk(limit)), // the driver takes long to hand over anything else
    node,
    changes: () => `${changes} ${document.readyState}`,
    // Where an element can be clicked, scrolled into view first; what covers it, if anything does.
    place: (id) => {
      const el = node(id);
      if (!el) return { gone: true };
      let rect = el.getBoundingClientRect();
      let at = reach(el);
      if (rect.top < 0 || rect.left < 0 || rect.bottom > innerHeight || rect.right > innerWidth || at.x === undefined) {
        el.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
        rect = el.getBoundingClientRect();
        at = reach(el);
      } else if (reach(el, 1).over) { // what holds it may cut it off
        el.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
        rect = el.getBoundingClientRect();
        at = reach(el);
      }
      return { ...about(el), list: el.tagName === 'OPTION' && closed(el.closest('select')) ? number(el.closest('select')) : 0, x: at.x, y: at.y, left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom, over: at.over ? called(at.over) : '', pictured: [el, ...[...el.querySelectorAll('*')].slice(0, 20)].some(pictured) };
    },
    // Wait until a page has drawn what the pointer has changed at a place, and what was there is there again. One that is
    // not in front draws nothing at all.
    rests: async (id, x, y) => {
      const drawn = () => new Promise((next) => { requestAnimationFrame(() => requestAnimationFrame(next)); setTimeout(next, 60); });
      const since = performance.now();
      do await drawn(); while (performance.now() - since < 1000 && node(id) && !belongs(hit(x, y), node(id)));
    },
    // Whether a place of this document shows the frame that a node is.
    shows: (id, x, y) => { const el = node(id); const at = hit(x, y); return el && (!at || belongs(at, el)) ? '' : called(at); },
    frame: (id) => { const el = node(id); if (!el) return null; const r = el.getBoundingClientRect(); return [r.left + el.clientLeft, r.top + el.clientTop]; },
    number,
    about: (id) => { const el = node(id); return el ? about(el) : { gone: true }; },
    // Begin to watch for what an action does.
    mark: (id) => {
      fresh.clear();
      acting = true;
      gone = [];
      scrolled = 0;
      held.clear();
      visible.clear();
      for (const el of usable()) visible.add(el);
      for (const el of controls()) held.set(el, state(el));
      return pulse(id);
    },
    // Say what has come of it: texts as they are now, values that changed by themselves, controls that went.
    news: (id) => {
      const said = [];
      const told = new Set();
      const say = (text) => { if (text && !told.has(text) && said.length < 4) { told.add(text); said.push(text); } };
      for (const el of controls()) if (el !== node(id) && held.has(el) && held.get(el) !== state(el)) say(`${called(el)} is now ${JSON.stringify(shown(el))}`);
      for (const n of fresh) {
        if (restless(n) || !n.isConnected || SKIPPED.has(n.tagName) || said.length > 3) continue;
        if (n.nodeType !== 1 || !n.checkVisibility || !n.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
        const text = flat(textOf(n)).slice(0, 160);
        if (text) say(`${JSON.stringify(text)} is shown`);
      }
      // Style sheets show things by themselves, as under the pointer.
      if (!said.length) for (const el of usable()) if (!visible.has(el)) say(`${called(el)} is shown`);
      if (!said.length) for (const n of gone) if (!n.isConnected) say(`${called(n)} went away`);
      const moved = [...fresh].filter((n) => !restless(n));
      acting = false;
      return { ...pulse(id), said, changed: moved.length };
    },
    changes: () => `${changes} ${document.readyState}`,
    // The control at a place, or what else is there.
    under: (x, y) => { const first = hit(x, y); let at = first; while (at && !CONTROLS.has(roleOf(at))) at = parentOf(at); return at || first ? number(at || first) : 0; },
    options: (id) => { const el = node(id); return el && el.options ? [...el.options].map((o) => [flat(o.label || o.textContent), number(o), o.disabled || Boolean(o.closest('optgroup:disabled')), o.selected]) : []; },
    active: () => { const at = focused(); return at && at !== document.body && at.tagName !== 'IFRAME' ? number(at) : 0; },
  };
}
