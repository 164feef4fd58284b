import type {PieceSource, RequestView} from '../../../pod/protocol.ts';
import {formatBytes} from '../../../text/formats.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import type {Span, Style} from '../../../text/span.ts';
import {blankLine, namedLine, sectionLines} from './page-lines.ts';
import type {PageLine, TextPage} from '../../model/pages/text-page.ts';
import {pageTitles, requestPageTexts} from '../../model/pages/texts.ts';

/** Returns the name of an item, or `undefined` if the screen does not have the item. */
type NameOf = (id: string) => string | undefined;

/** Returns the page about a request to the model: its headers, and its exact body with the source of each piece. */
export function requestPage(
	{model, bytes, isSame, pieces, hidden, headPieces, headers}: RequestView,
	nameOf: NameOf,
): TextPage {
	const facts = [sanitizeLine(model), formatBytes(bytes), requestPageTexts.compared(isSame)];
	const gap = hidden === 0 ? [] : [{spans: [{text: requestPageTexts.hidden(hidden), style: 'dim'}]} as const];
	const lines = pieces.map(piece => pieceLine(piece, nameOf));
	return {
		kind: 'text',
		title: pageTitles.request,
		top: 0,
		lines: [
			blankLine,
			{spans: [{text: facts.join(' · ')}]},
			...sectionLines(requestPageTexts.headers, [
				...headers.map(headerLine),
				{spans: [{text: requestPageTexts.moreHeaders, style: 'dim'}]},
			]),
			...sectionLines(requestPageTexts.body, [...lines.slice(0, headPieces), ...gap, ...lines.slice(headPieces)]),
		],
	};
}

function headerLine({name, value, source}: RequestView['headers'][number]): PageLine {
	const text = value === undefined ? requestPageTexts.keyNotShown : sanitizeLine(value);
	const note = requestPageTexts.headerSources.get(source) ?? source;
	return namedLine(`  ${sanitizeLine(name)}`, column, [{text}, {text: ` (${note})`, style: 'dim'}]);
}

function pieceLine({text, source}: RequestView['pieces'][number], nameOf: NameOf): PageLine {
	const lead: Span = {text: `${sourceName(source, nameOf)} │ `, style: styles[source.kind]};
	return {lead, spans: [{text: shownText(text, source), ...(source.kind === 'form' && {style: 'dim'})}]};
}

const column = 20;

const styles: Readonly<Record<PieceSource['kind'], Style>> = {
	item: 'accent',
	setup: 'accent',
	rule: 'warn',
	form: 'dim',
	unknown: 'error',
};

/** Returns the name of a source on one line, such as `“Hello” · call id · rule call_id`. */
export function sourceName({kind, id = '', part, key = '', rule}: PieceSource, nameOf: NameOf): string {
	const names = {
		item: () => nameOf(id) ?? requestPageTexts.item(sanitizeLine(id)),
		setup: () => requestPageTexts.setup(sanitizeLine(key)),
		rule: () => '',
		form: () => requestPageTexts.form,
		unknown: () => requestPageTexts.unknown,
	};
	const parts = [
		names[kind](),
		...(part === undefined || part === 'text' ? [] : [part]),
		...(rule === undefined ? [] : [requestPageTexts.rule(rule)]),
	];
	return parts
		.filter(each => each !== '')
		.map(sanitizeLine)
		.join(' · ');
}

/** Returns the text of a piece. A signature or encrypted reasoning is replaced with its length. */
function shownText(text: string, {part}: PieceSource): string {
	if (part === 'provider data' && text.length >= minSignature) return requestPageTexts.signature(text.length);
	return sanitizeLine(text);
}

/** The minimum length of a signature, in code units. Shorter provider data is an id, and the page shows it. */
const minSignature = 64;
