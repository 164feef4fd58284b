const cellWidth = 8.4;
const cellHeight = 18;
const margin = 14;
const paper = '#16181d';
const ink = '#d6d9e0';
const ansi = [
	'#3b3f4a',
	'#e06c75',
	'#98c379',
	'#e5c07b',
	'#61afef',
	'#c678dd',
	'#56b6c2',
	'#c8ccd4',
	'#686d7a',
	'#ef8b92',
	'#b3d693',
	'#f0d399',
	'#86c4f5',
	'#d79ae9',
	'#7ecdd7',
	'#ffffff',
];

/** The same colours for a light terminal. */
const light = {
	[paper]: '#fafafa',
	[ink]: '#2b2f38',
	'#e06c75': '#c4303c',
	'#98c379': '#3f7d20',
	'#e5c07b': '#96690a',
	'#61afef': '#1f6fc4',
	'#c678dd': '#9333a8',
	'#56b6c2': '#0d7a86',
	'#c8ccd4': '#4a4f5a',
	'#686d7a': '#8a8f9b',
	'#ef8b92': '#d9434f',
	'#b3d693': '#4f9429',
	'#f0d399': '#ad7b0f',
	'#86c4f5': '#2f84dd',
	'#d79ae9': '#a845bf',
	'#7ecdd7': '#118f9c',
	'#ffffff': '#14161a',
};

/** Returns a drawn screen in the colours of a light terminal. */
export function inLight(svg) {
	return svg.replaceAll(/#[0-9a-f]{6}/gu, color => light[color] ?? color);
}

/** Draws a screen (test/helpers/screen.ts) as an SVG. Each run of cells with the same style has its own position. */
export function screenAsSvg(screen) {
	const {width, height} = sizeOf(screen);
	return document(width, height, panelOf(screen));
}

function sizeOf({terminal: {cols, rows}}) {
	return {width: cols * cellWidth + 2 * margin, height: rows * cellHeight + 2 * margin};
}

function document(width, height, body) {
	const attributes = [
		'xmlns="http://www.w3.org/2000/svg"',
		`viewBox="0 0 ${number(width)} ${number(height)}"`,
		`width="${number(width)}"`,
		`height="${number(height)}"`,
		`font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"`,
		'font-size="14"',
		'xml:space="preserve"',
		'style="white-space: pre"',
	];
	return `<svg ${attributes.join(' ')}>\n${body}\n</svg>\n`;
}

function panelOf(screen) {
	const body = Array.from({length: screen.terminal.rows}, (_, row) => rowAsSvg(screen.cells(row), row));
	return [`<rect width="100%" height="100%" rx="8" fill="${paper}"/>`, ...body, cursorAsSvg(screen.cursor())]
		.filter(text => text !== '')
		.join('\n');
}

function rowAsSvg(cells, row) {
	const runs = runsOf(cells);
	const y = margin + row * cellHeight;
	const grounds = runs
		.filter(run => run.look.ground !== undefined)
		.map(({column, width, look}) => rectangle(column, y, width * cellWidth, `fill="${look.ground}"`));
	const texts = runs.filter(run => run.text.trim() !== '').map(run => textAsSvg(run, y));
	return [...grounds, ...texts].join('\n');
}

function runsOf(cells) {
	const runs = [];
	let column = 0;
	for (const cell of cells) {
		if (cell.width === 0) continue;
		const look = lookOf(cell);
		const last = runs.at(-1);
		const text = cell.text === '' ? ' ' : cell.text;
		if (last !== undefined && cell.width === 1 && !last.isWide && sameLook(last.look, look)) {
			last.text += text;
			last.width += 1;
		} else runs.push({column, text, width: cell.width, isWide: cell.width === 2, look});
		column += cell.width;
	}
	return runs;
}

function lookOf(cell) {
	const foreground = colorOf(cell.foreground, cell.bold) ?? ink;
	const background = colorOf(cell.background, false);
	return {
		color: cell.inverse ? (background ?? paper) : foreground,
		ground: cell.inverse ? foreground : background,
		bold: cell.bold,
		dim: cell.dim,
		italic: cell.italic,
		lines: [cell.underline ? 'underline' : '', cell.strikethrough ? 'line-through' : ''].filter(Boolean).join(' '),
	};
}

function sameLook(left, right) {
	return Object.keys(left).every(key => left[key] === right[key]);
}

function textAsSvg({column, text, width, look}, y) {
	const blank = text.length - text.trimStart().length;
	const shown = text.trim();
	const attributes = [
		`x="${x(column + blank)}"`,
		`y="${number(y + cellHeight * 0.74)}"`,
		`textLength="${number((width - (text.length - shown.length)) * cellWidth)}"`,
		'lengthAdjust="spacingAndGlyphs"',
		`fill="${look.color}"`,
		look.bold ? 'font-weight="bold"' : '',
		look.dim ? 'opacity="0.6"' : '',
		look.italic ? 'font-style="italic"' : '',
		look.lines === '' ? '' : `text-decoration="${look.lines}"`,
	];
	return `<text ${attributes.filter(Boolean).join(' ')}>${escaped(shown)}</text>`;
}

function cursorAsSvg({row, column, visible}) {
	return visible ? rectangle(column, margin + row * cellHeight, cellWidth, `fill="${ink}" opacity="0.7"`) : '';
}

function rectangle(column, y, width, fill) {
	return `<rect x="${x(column)}" y="${number(y)}" width="${number(width)}" height="${cellHeight}" ${fill}/>`;
}

// `ansi-N` are the 256 colours: 16 of the terminal, a cube of 6x6x6, and 24 greys. Bold text gets the bright variant of
// the first eight.
function colorOf(color, isBold) {
	if (color === undefined || color.startsWith('#')) return color;
	const index = Number(color.slice('ansi-'.length));
	if (index < 16) return ansi[isBold && index < 8 ? index + 8 : index];
	if (index >= 232) return rgb(Array(3).fill(8 + (index - 232) * 10));
	const steps = [Math.floor((index - 16) / 36), Math.floor((index - 16) / 6) % 6, (index - 16) % 6];
	return rgb(steps.map(step => (step === 0 ? 0 : 55 + step * 40)));
}

function rgb(parts) {
	return `#${parts.map(part => part.toString(16).padStart(2, '0')).join('')}`;
}

function x(column) {
	return number(margin + column * cellWidth);
}

function number(value) {
	return String(Math.round(value * 100) / 100);
}

function escaped(text) {
	return text
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll(/[\p{Cc}\uFFFE\uFFFF]/gu, '');
}
