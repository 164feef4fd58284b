/** Replaces HTML entities by their characters. Must come before the sanitizer: `&#27;` is an escape. Names outside HTML 4's common ones stay as written. */
export function decodeEntities(text: string): string {
	return text.includes('&') ? text.replaceAll(entity, decode) : text;
}

const entity = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z][a-zA-Z\d]{1,31}));/g;

function decode(whole: string, decimal: string | undefined, hex: string | undefined, name: string | undefined): string {
	if (name !== undefined) return named.get(name) ?? whole;
	const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number.parseInt(decimal, 10);
	return code > 0 && code <= 0x10_ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : '\ufffd';
}

const named = new Map(Object.entries({
	amp: '&', lt: '<', gt: '>', quot: '"', apos: '\'', nbsp: '\u00a0', iexcl: '¡', cent: '¢', pound: '£', yen: '¥', sect: '§', uml: '¨', copy: '©',
	laquo: '«', not: '¬', shy: '\u00ad', reg: '®', deg: '°', plusmn: '±', sup2: '²', sup3: '³', micro: 'µ', para: '¶', middot: '·', sup1: '¹', raquo: '»',
	frac14: '¼', frac12: '½', frac34: '¾', iquest: '¿', times: '×', divide: '÷', szlig: 'ß', agrave: 'à', aacute: 'á', acirc: 'â', auml: 'ä', aring: 'å',
	ccedil: 'ç', egrave: 'è', eacute: 'é', ecirc: 'ê', euml: 'ë', ntilde: 'ñ', ouml: 'ö', oslash: 'ø', uuml: 'ü', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü',
	alpha: 'α', beta: 'β', gamma: 'γ', delta: 'δ', epsilon: 'ε', lambda: 'λ', mu: 'μ', pi: 'π', sigma: 'σ', omega: 'ω', Delta: 'Δ', Sigma: 'Σ', Omega: 'Ω',
	ensp: '\u2002', emsp: '\u2003', thinsp: '\u2009', zwnj: '\u200c', zwj: '\u200d', lrm: '\u200e', rlm: '\u200f', ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’',
	ldquo: '“', rdquo: '”', bull: '•', hellip: '…', prime: '′', euro: '€', trade: '™', larr: '←', uarr: '↑', rarr: '→', darr: '↓', harr: '↔', rArr: '⇒', hArr: '⇔',
	forall: '∀', exist: '∃', empty: '∅', isin: '∈', notin: '∉', sum: '∑', minus: '−', radic: '√', infin: '∞', and: '∧', or: '∨', cap: '∩', cup: '∪', int: '∫',
	asymp: '≈', ne: '≠', equiv: '≡', le: '≤', ge: '≥', sub: '⊂', sup: '⊃', check: '✓', cross: '✗',
	Tab: '\t', NewLine: '\n', lbrack: '[', rbrack: ']', lpar: '(', rpar: ')', ast: '*', lowbar: '_', grave: '`', num: '#', sol: '/', bsol: '\\', vert: '|',
	colon: ':', semi: ';', comma: ',', period: '.', excl: '!', quest: '?', commat: '@', dollar: '$', percnt: '%', plus: '+', equals: '=', lbrace: '{', rbrace: '}', hyphen: '‐',
}));
