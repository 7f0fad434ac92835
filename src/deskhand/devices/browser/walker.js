() => {
  const known = new WeakMap(); // node -> number, for as long as the node lives; never reused in this document
  const nodes = new Map(); // number -> WeakRef
  let last = 0;
  let changes = 0;
  new MutationObserver(() => { changes += 1; }).observe(document, {
    subtree: true, childList: true, attributes: true, characterData: true,
  });

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
  const RENAMED = { searchbox: 'textbox', gridcell: 'cell', rowheader: 'columnheader', image: 'img', alertdialog: 'dialog', none: '', presentation: '' };
  const INTERACTIVE = 'a[href],button,input:not([type=hidden]),select,textarea,summary,[role=button],[role=link],[role=checkbox],[role=tab],[role=menuitem],[role=option],[role=switch],[role=radio],[contenteditable=""],[contenteditable=true],[onclick]';

  const number = (node) => {
    let id = known.get(node);
    if (!id) { id = ++last; known.set(node, id); nodes.set(id, new WeakRef(node)); }
    return id;
  };
  const node = (id) => { const found = nodes.get(id)?.deref(); return found && found.isConnected ? found : null; };
  const flat = (text) => text.replace(/\s+/g, ' ').trim();
  const parentOf = (el) => el.assignedSlot || el.parentElement || (el.getRootNode() instanceof ShadowRoot ? el.getRootNode().host : null);
  const childrenOf = (el) => (el.shadowRoot ? el.shadowRoot.childNodes : el.tagName === 'SLOT' && el.assignedNodes().length ? el.assignedNodes() : el.childNodes);

  const speaks = (el) => { for (const c of childrenOf(el)) if (c.nodeType === 3 && /\S/.test(c.data)) return true; return false; };

  const roleOf = (el) => {
    const said = (el.getAttribute('role') || '').trim().split(/\s+/)[0];
    if (said) return said in RENAMED ? RENAMED[said] : said;
    const tag = el.tagName.toUpperCase();
    if (tag === 'INPUT') { const type = el.type; return type in BY_TYPE ? BY_TYPE[type] : el.list ? 'combobox' : 'textbox'; }
    if (tag === 'SELECT') return el.multiple || el.size > 1 ? 'listbox' : 'combobox';
    if (tag === 'A' && !el.hasAttribute('href')) return el.onclick || el.hasAttribute('onclick') ? 'link' : '';
    if (el.isContentEditable && !(el.parentElement && el.parentElement.isContentEditable)) return 'textbox';
    return BY_TAG[tag] || (el.hasAttribute('onclick') || el.onclick || el.tabIndex >= 0 && el.hasAttribute('tabindex') ? 'button' : '');
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
    if (tag === 'SVG') { const title = el.querySelector('title'); if (title) return flat(title.textContent); }
    if (tag === 'FIELDSET') { const legend = el.querySelector(':scope > legend'); if (legend) return flat(textOf(legend)); }
    if (tag === 'TABLE' && el.caption) return flat(textOf(el.caption));
    if (tag === 'OPTION' || tag === 'OPTGROUP') return flat(el.label || el.textContent);
    if (tag === 'IFRAME' || tag === 'FRAME') return flat(el.title || el.name || '');
    if (NAMED_BY_CONTENT.has(role)) { const text = flat(textOf(el)); if (text) return text; }
    return flat(el.getAttribute('title') || el.getAttribute('placeholder') || el.getAttribute('aria-description') || '');
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
  const focused = () => { let at = document.activeElement; while (at && at.shadowRoot && at.shadowRoot.activeElement) at = at.shadowRoot.activeElement; return document.hasFocus() ? at : at; };
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
    if (tag === 'SELECT') return ['select', 'focus'];
    if (role === 'textbox' || role === 'password' || role === 'spinbutton') return ['set_text', 'focus'];
    if (role === 'slider') return ['set_value', 'focus'];
    if (CONTROLS.has(role)) return ['press', 'focus'];
    return [];
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
  const coveredAt = (el, rect) => {
    const x = Math.min(Math.max((rect.left + rect.right) / 2, 0), innerWidth - 1);
    const y = Math.min(Math.max((rect.top + rect.bottom) / 2, 0), innerHeight - 1);
    const at = hit(x, y);
    return !at || belongs(at, el) ? null : at;
  };
  const unseen = (style) => Number(style.opacity) < 0.05 || parseFloat(style.fontSize) < 2 || style.color === style.backgroundColor && style.backgroundColor !== 'rgba(0, 0, 0, 0)' || /rgba\(.*, 0\)/.test(style.color);

  const walk = (limit) => {
    const found = [];
    const frames = [];
    let more = 0;
    const active = focused();
    const view = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const cut = (rect, clip) => ({ left: Math.max(rect.left, clip.left), top: Math.max(rect.top, clip.top), right: Math.min(rect.right, clip.right), bottom: Math.min(rect.bottom, clip.bottom) });
    const empty = (rect) => rect.right - rect.left < 1 || rect.bottom - rect.top < 1;

    const visit = (el, parent, clip, named) => {
      if (SKIPPED.has(el.tagName)) return;
      const rect = el.getBoundingClientRect();
      const out = rect.bottom <= clip.top || rect.top >= clip.bottom || rect.right <= clip.left || rect.left >= clip.right;
      if (out && rect.width && rect.height) {
        // Nothing of it is in sight; what it holds can be only where it sticks out.
        if (el.scrollHeight <= el.clientHeight + 1 && el.scrollWidth <= el.clientWidth + 1 || getComputedStyle(el).overflow !== 'visible') return;
      } else if (!rect.width && !rect.height && getComputedStyle(el).display === 'none') return;
      if (out) { for (const child of childrenOf(el)) if (child.nodeType === 1) visit(child, parent, clip, named); return; }
      const role = el === document.body || el === document.documentElement ? '' : roleOf(el);
      const own = !named && speaks(el);
      const box = cut(rect, clip);
      const wanted = role && (CONTROLS.has(role) || ['heading', 'img', 'dialog', 'alert', 'table', 'progressbar', 'document', 'status', 'video', 'tooltip', 'menu', 'menubar', 'tablist', 'tree'].includes(role)) || own;
      let here = parent;
      let inside = named;
      if (wanted && el.getAttribute('aria-hidden') !== 'true') {
        const gone = empty(box);
        const visible = el.checkVisibility ? el.checkVisibility({ visibilityProperty: true }) : true;
        if (visible && !gone && found.length < limit) {
          const control = CONTROLS.has(role);
          const name = nameOf(el, role || 'label');
          const states = statesOf(el, role, active);
          if (control && coveredAt(el, box)) states.push('covered');
          if ((own || control) && unseen(getComputedStyle(el))) states.push('hidden');
          if (name || control || role === 'document' || role === 'img') {
            here = number(el);
            found.push([here, parent, role || 'label', name.slice(0, 500), String(valueOf(el, role)).slice(0, 2000), box.left, box.top, box.right, box.bottom, states, actionsOf(el, role)]);
            if (NAMED_BY_CONTENT.has(role) || own) inside = true;
          }
          if (el.tagName === 'IFRAME' || el.tagName === 'FRAME') frames.push([here, rect.left + el.clientLeft, rect.top + el.clientTop, box.left, box.top, box.right, box.bottom]);
        }
      }
      if (el.tagName === 'SELECT' && !(el.multiple || el.size > 1)) return;
      const clips = el !== document.body && el !== document.documentElement && (el.scrollHeight > el.clientHeight + 1 || el.scrollWidth > el.clientWidth + 1) && !empty(rect) && getComputedStyle(el).overflow !== 'visible';
      const inner = clips ? cut(rect, clip) : clip;
      for (const child of childrenOf(el)) if (child.nodeType === 1) visit(child, here, inner, inside);
    };
    if (document.body) visit(document.body, 0, view, false);
    const listed = new Set(found.filter((e) => CONTROLS.has(e[2])).map((e) => e[0]));
    for (const el of document.querySelectorAll(INTERACTIVE)) if (el.offsetParent && !listed.has(known.get(el))) more += 1;
    return { elements: found, frames, more, scroll: [scrollX, scrollY, document.documentElement.scrollWidth, document.documentElement.scrollHeight, innerWidth, innerHeight], changes };
  };

  return {
    walk,
    node,
    changes: () => changes,
    // Where an element can be clicked, scrolled into view first; what covers it, if anything does.
    place: (id) => {
      const el = node(id);
      if (!el) return { gone: true };
      let rect = el.getBoundingClientRect();
      if (rect.top < 0 || rect.left < 0 || rect.bottom > innerHeight || rect.right > innerWidth || coveredAt(el, rect)) {
        el.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
        rect = el.getBoundingClientRect();
      }
      const over = coveredAt(el, rect);
      const role = roleOf(el);
      return {
        x: (Math.max(rect.left, 0) + Math.min(rect.right, innerWidth)) / 2, y: (Math.max(rect.top, 0) + Math.min(rect.bottom, innerHeight)) / 2,
        left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom,
        role, name: nameOf(el, role), value: String(valueOf(el, role)), states: statesOf(el, role, focused()),
        over: over ? `${roleOf(over) || over.tagName.toLowerCase()} ${nameOf(over, 'label').slice(0, 60)}`.trim() : '',
      };
    },
    about: (id) => { const el = node(id); if (!el) return { gone: true }; const role = roleOf(el); return { role, name: nameOf(el, role), value: String(valueOf(el, role)), states: statesOf(el, role, focused()) }; },
    pulse: () => { const at = focused(); return [changes, at && at !== document.body ? number(at) : 0, scrollX, scrollY]; },
    under: (x, y) => { let at = hit(x, y); while (at && !known.has(at)) at = parentOf(at); return at ? known.get(at) : 0; },
    focus: (id) => { const el = node(id); if (!el) return false; el.focus({ preventScroll: false }); return focused() === el; },
    selectAll: (id) => {
      const el = node(id);
      if (el && typeof el.select === 'function') el.select();
      else if (el) { const range = document.createRange(); range.selectNodeContents(el); const s = getSelection(); s.removeAllRanges(); s.addRange(range); }
    },
    options: (id) => { const el = node(id); return el && el.options ? [...el.options].map((o) => [flat(o.label || o.textContent), o.value, o.disabled, o.selected]) : []; },
    active: () => { const at = focused(); return at && at !== document.body ? number(at) : 0; },
  };
}
