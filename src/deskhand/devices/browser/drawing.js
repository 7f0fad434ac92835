// What a thing looks like, in the words of a person: "red circle", "black outlined box", "light blue box".
() => {
  const NAMES = {
    black: [0, 0, 0], white: [255, 255, 255], gray: [128, 128, 128], silver: [192, 192, 192], red: [255, 0, 0], maroon: [128, 0, 0],
    yellow: [255, 255, 0], olive: [128, 128, 0], lime: [0, 255, 0], green: [0, 128, 0], cyan: [0, 255, 255], teal: [0, 128, 128],
    blue: [0, 0, 255], navy: [0, 0, 128], magenta: [255, 0, 255], purple: [128, 0, 128], orange: [255, 165, 0], pink: [255, 192, 203],
    brown: [165, 42, 42], gold: [255, 215, 0], violet: [238, 130, 238], indigo: [75, 0, 130], turquoise: [64, 224, 208], beige: [245, 245, 220],
  };
  const HUES = [[15, 'red'], [42, 'orange'], [68, 'yellow'], [165, 'green'], [195, 'cyan'], [255, 'blue'], [290, 'purple'], [330, 'magenta'], [345, 'pink'], [361, 'red']];
  const RGB = /rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)/;
  const read = (text) => { const m = RGB.exec(text || ''); return m ? [Number(m[1]), Number(m[2]), Number(m[3]), m[4] === undefined ? 1 : Number(m[4])] : null; };
  const apart = (a, b) => Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) + Math.abs(a[2] - b[2]);
  // A colour that has a name of its own is called by it, any other by its hue and how light it is.
  const colour = (c) => {
    const own = Object.keys(NAMES).find((name) => apart(NAMES[name], c) < 9);
    if (own) return own;
    const [most, least] = [Math.max(c[0], c[1], c[2]), Math.min(c[0], c[1], c[2])];
    const light = (most + least) / 510;
    if (most - least < 13) return light > 0.95 ? 'white' : light < 0.1 ? 'black' : light > 0.7 ? 'light gray' : light < 0.35 ? 'dark gray' : 'gray';
    const part = most === c[0] ? ((c[1] - c[2]) / (most - least) + 6) % 6 : most === c[1] ? (c[2] - c[0]) / (most - least) + 2 : (c[0] - c[1]) / (most - least) + 4;
    const hue = HUES.find(([end]) => part * 60 < end)[1];
    if (hue === 'orange' && light < 0.4) return 'brown';
    return light > 0.7 ? `light ${hue}` : light < 0.3 ? `dark ${hue}` : hue;
  };
  const gray = (name) => /gray|white|black|silver/.test(name);

  const CORNERS = { 3: 'triangle', 5: 'pentagon', 6: 'hexagon', 7: 'heptagon', 8: 'octagon' };
  // The corners of a closed figure: points that lie on a straight line with their neighbours are none.
  const corners = (points) => {
    let left = points.filter((p, i) => i === 0 || Math.hypot(p[0] - points[i - 1][0], p[1] - points[i - 1][1]) > 0.01);
    if (left.length > 1 && Math.hypot(left[0][0] - left[left.length - 1][0], left[0][1] - left[left.length - 1][1]) < 0.01) left = left.slice(1);
    return left.filter((p, i) => {
      const [a, b] = [left[(i + left.length - 1) % left.length], left[(i + 1) % left.length]];
      const turn = (p[0] - a[0]) * (b[1] - p[1]) - (p[1] - a[1]) * (b[0] - p[0]);
      return Math.abs(turn) > 0.02 * Math.hypot(p[0] - a[0], p[1] - a[1]) * Math.hypot(b[0] - p[0], b[1] - p[1]);
    });
  };
  const polygon = (points) => {
    const at = corners(points);
    const turns = at.map((p, i) => { const [a, b] = [at[(i + at.length - 1) % at.length], at[(i + 1) % at.length]]; return Math.sign((p[0] - a[0]) * (b[1] - p[1]) - (p[1] - a[1]) * (b[0] - p[0])); });
    if (new Set(turns).size > 1) return at.length >= 8 && at.length % 2 === 0 ? 'star' : 'polygon';
    if (at.length !== 4) return CORNERS[at.length] || (at.length < 3 ? 'line' : 'polygon');
    const sides = at.map((p, i) => Math.hypot(p[0] - at[(i + 1) % 4][0], p[1] - at[(i + 1) % 4][1]));
    const right = at.every((p, i) => { const [a, b] = [at[(i + 3) % 4], at[(i + 1) % 4]]; return Math.abs((p[0] - a[0]) * (b[0] - p[0]) + (p[1] - a[1]) * (b[1] - p[1])) < 0.05 * sides[i] * sides[(i + 3) % 4]; });
    return !right ? 'quadrilateral' : Math.max(...sides) < 1.1 * Math.min(...sides) ? 'square' : 'rectangle';
  };
  const oblong = (w, h) => (Math.max(w, h) < 1.1 * Math.min(w, h) ? 'square' : 'rectangle');
  const traced = (d) => {
    const points = [];
    let [x, y] = [0, 0];
    for (const [, sign, rest] of d.matchAll(/([a-z])([^a-z]*)/gi)) {
      const n = (rest.match(/-?[\d.]+(?:e-?\d+)?/gi) || []).map(Number);
      const by = sign === sign.toLowerCase();
      if (/z/i.test(sign)) continue;
      if (!/[mlhv]/i.test(sign) || (/m/i.test(sign) && points.length)) return null;
      const step = /[ml]/i.test(sign) ? 2 : 1;
      for (let i = 0; i + step <= n.length; i += step) {
        if (step === 2) [x, y] = by ? [x + n[i], y + n[i + 1]] : [n[i], n[i + 1]];
        else if (/h/i.test(sign)) x = by ? x + n[i] : n[i];
        else y = by ? y + n[i] : n[i];
        points.push([x, y]);
      }
    }
    return points;
  };
  const value = (length) => length.baseVal.value;
  const shape = (el) => {
    switch (el.tagName) {
      case 'circle': return 'circle';
      case 'ellipse': return Math.abs(value(el.rx) - value(el.ry)) < 0.05 * value(el.rx) ? 'circle' : 'ellipse';
      case 'rect': return oblong(value(el.width), value(el.height));
      case 'line': return 'line';
      case 'polygon': return polygon([...el.points].map((p) => [p.x, p.y]));
      case 'polyline': { const points = [...el.points].map((p) => [p.x, p.y]); const end = points[points.length - 1]; return points.length > 3 && Math.hypot(points[0][0] - end[0], points[0][1] - end[1]) < 1 ? polygon(points) : 'line'; }
      case 'path': { const d = el.getAttribute('d') || ''; const points = traced(d); return !points ? (/z/i.test(d) ? 'figure' : 'curve') : points.length < 3 || !/z/i.test(d) ? 'line' : polygon(points); }
      case 'text': { const said = el.textContent.trim(); return said.length > 1 ? 'text' : /\d/.test(said) ? 'digit' : /[^\W_]/u.test(said) || /\p{L}/u.test(said) ? 'letter' : 'sign'; }
      default: return '';
    }
  };
  const SHAPES = new Set(['circle', 'ellipse', 'rect', 'line', 'polygon', 'polyline', 'path', 'text']);
  const painted = (look) => {
    const [fill, stroke] = [read(look.fill), read(look.stroke)];
    if (fill && fill[3] * Number(look.fillOpacity) > 0.05) return [fill, false];
    return stroke && stroke[3] * Number(look.strokeOpacity) > 0.05 && parseFloat(look.strokeWidth) > 0 ? [stroke, true] : null;
  };
  const drawing = (el) => {
    const look = getComputedStyle(el);
    const paint = Number(look.opacity) < 0.05 ? null : painted(look);
    const what = paint && shape(el);
    const open = what === 'line' || what === 'curve';
    const [ink, hollow] = open ? [read(look.stroke), false] : paint || [];
    return what && ink ? `${colour(ink)} ${hollow ? 'outlined ' : ''}${what}` : '';
  };
  // A box of a page that has a colour of its own or lines around it.
  const box = (el, back) => {
    const look = getComputedStyle(el);
    const fill = look.backgroundImage === 'none' ? read(look.backgroundColor) : null;
    const lines = ['Top', 'Right', 'Bottom', 'Left'].filter((side) => parseFloat(look[`border${side}Width`]) > 0 && look[`border${side}Style`] !== 'none');
    const edge = lines.length === 4 ? read(look.borderTopColor) : null;
    const filled = fill && fill[3] > 0.5;
    if (!(filled && (edge || !back || apart(fill, back) > 8)) && !(edge && edge[3] > 0.5)) return '';
    const round = parseFloat(look.borderTopLeftRadius);
    const even = Math.abs(el.offsetWidth - el.offsetHeight) <= 2;
    const whole = look.borderTopLeftRadius.endsWith('%') ? round >= 50 : round * 2 >= el.offsetWidth - 1;
    return `${colour(filled ? fill : edge)} ${filled ? '' : 'outlined '}${even && whole ? 'circle' : 'box'}`;
  };
  // The one figure that is drawn on a small canvas, by the corners of what its ink spans; "" where it is none that is known.
  const MOST_PIXELS = 250000;
  const hull = (points) => {
    const turn = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
    const half = (some) => { const out = []; for (const p of some) { while (out.length > 1 && turn(out[out.length - 2], out[out.length - 1], p) <= 0) out.pop(); out.push(p); } return out.slice(0, -1); };
    return [...half(points), ...half([...points].reverse())];
  };
  const off = (p, a, b) => Math.abs((b[0] - a[0]) * (a[1] - p[1]) - (a[0] - p[0]) * (b[1] - a[1])) / (Math.hypot(b[0] - a[0], b[1] - a[1]) || 1);
  const plain = (points, slack) => {
    let [far, most] = [0, 0];
    for (let i = 1; i < points.length - 1; i += 1) { const d = off(points[i], points[0], points[points.length - 1]); if (d > most) [far, most] = [i, d]; }
    return most <= slack ? [points[0], points[points.length - 1]] : [...plain(points.slice(0, far + 1), slack).slice(0, -1), ...plain(points.slice(far), slack)];
  };
  const figure = (el) => {
    if (!el.width || !el.height || el.width * el.height > MOST_PIXELS) return '';
    const copy = new OffscreenCanvas(el.width, el.height).getContext('2d', { willReadFrequently: true }); // its own may be of another kind
    copy.drawImage(el, 0, 0);
    let data;
    try { data = copy.getImageData(0, 0, el.width, el.height).data; } catch { return ''; } // it shows what is another site's
    const ends = [];
    let [sum, count] = [[0, 0, 0], 0];
    for (let x = 0; x < el.width; x += 1) {
      let [first, last] = [-1, -1];
      for (let y = 0; y < el.height; y += 1) {
        const at = 4 * (y * el.width + x);
        if (data[at + 3] < 128 || Math.min(data[at], data[at + 1], data[at + 2]) > 240) continue;
        if (first < 0) first = y;
        last = y;
        sum = sum.map((part, i) => part + data[at + i]);
        count += 1;
      }
      if (first >= 0) { ends.push([x, first]); if (last > first) ends.push([x, last]); }
    }
    if (count < 30) return '';
    const around = hull(ends);
    const size = Math.max(...ends.map((p) => p[0])) - Math.min(...ends.map((p) => p[0]));
    // One figure is all ink, or ink along its edge; what else there may be is no figure, but writing or many.
    const sides = around.map((p, i) => [p, around[(i + 1) % around.length]]);
    const area = Math.abs(sides.reduce((all, [a, b]) => all + a[0] * b[1] - a[1] * b[0], 0)) / 2;
    const edge = sides.reduce((all, [a, b]) => all + Math.hypot(a[0] - b[0], a[1] - b[1]), 0);
    const inner = ends.filter((p) => sides.every(([a, b]) => off(p, a, b) > Math.max(2, size * 0.06)));
    if (count < 0.85 * area && (inner.length > ends.length * 0.03 || count > edge * size * 0.1) || size > el.width * 0.95) return '';
    const start = around.reduce((best, p, i) => (Math.hypot(p[0] - around[0][0], p[1] - around[0][1]) > Math.hypot(around[best][0] - around[0][0], around[best][1] - around[0][1]) ? i : best), 0);
    const found = [...plain(around.slice(0, start + 1), size * 0.025).slice(0, -1), ...plain([...around.slice(start), around[0]], size * 0.025).slice(0, -1)];
    const at = found.filter((p, i) => { const next = found[(i + 1) % found.length]; return Math.hypot(p[0] - next[0], p[1] - next[1]) > size * 0.15; });
    const even = at.filter((p, i) => off(p, at[(i + at.length - 1) % at.length], at[(i + 1) % at.length]) > size * 0.06);
    const what = at.length > 10 ? 'circle' : polygon(even);
    return what === 'line' || what === 'polygon' ? '' : `${colour(sum.map((part) => part / count))} ${what}`;
  };
  // What a picture shows that has no words: files are often called by it.
  const pictured = (el) => {
    const look = el.tagName === 'IMG' ? null : getComputedStyle(el);
    if (look && /[1-9]\d*px/.test(look.backgroundPosition)) return ''; // a part of a sheet of many
    const url = look ? (/url\("?([^")]+)"?\)/.exec(`${look.content} ${look.backgroundImage}`) || [])[1] : el.currentSrc || el.src;
    const file = /^(?!data:)[^?#]*\/([^/?#]+)\.\w+(?:[?#].*)?$/.exec(url || '');
    const name = file ? decodeURIComponent(file[1]).replace(/[-_. ]+/g, ' ').trim() : '';
    return /^[a-z][a-z ]{0,30}$/i.test(name) && !/sprite|blank|spacer|pixel|image|img|icons?$/i.test(name) ? name : '';
  };
  return { drawing, figure, box, pictured, gray, SHAPES };
}
