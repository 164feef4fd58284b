import {
	changeItems,
	createRedactor,
	withText,
	type ExportContext,
	type FoundSecrets,
	type StoredSession,
} from '../../pod/index.ts';
import {waitingText, type Item} from '../../pod/protocol.ts';
import {fenced} from './markdown.ts';
import type {ExportedEnd} from './parts.ts';
import {blocksHtml, blocksOf, textOfHtml} from './prose.ts';
import {exportTexts} from './texts.ts';

/** A session as an export shows it, and the secrets that were left out. */
export type Exported = Pick<ExportedEnd, 'waiting'> & {
	readonly session: StoredSession;
	readonly exportContext: ExportContext;
	readonly found: FoundSecrets | undefined;
};

/** Returns the whole session, with its secrets. */
export function withSecrets(session: StoredSession, exportContext: ExportContext): Exported {
	return {session, exportContext, found: undefined, waiting: waitingIn(session)};
}

/**
Returns the session without its secrets. The function searches the whole export first, because a secret of a child
session is also left out of its parent. `isRendered`: whether a reader sees Markdown rendered. A secret that only the
rendered text shows is left out, too: `gh**p_…**`, `ghp\_…`, `&#103;hp_…`.
*/
export function withoutSecrets(session: StoredSession, whole: ExportContext, isRendered: boolean): Exported {
	const redactor = createRedactor();
	const texts: WaitingTexts = waitingIn(session);
	const lookAt = (items: readonly Item[]) => {
		redactor.look(items);
		return items;
	};
	lookAt(session.items);
	changeItems(whole, lookAt);
	redactor.lookInto(session.cwd, exportTexts.directory);
	for (const {id, text} of texts) redactor.lookInto(text, id);
	const change = (items: readonly Item[], each: Each) => redactor.items(items).map(item => changeProse(item, each));
	const changeAll = (each: Each) => ({
		session: {...session, cwd: redactor.text(session.cwd), items: change(session.items, each)},
		exportContext: changeItems(whole, items => change(items, each)),
		waiting: texts.map(({id, text}) => ({id, text: each(redactor.text(text), id)})),
	});
	if (isRendered)
		changeAll((text, id) => {
			redactor.lookInto(shownText(text), id);
			return text;
		});
	const changed = changeAll(text => (isRendered ? withoutShown(text, redactor.unsearched) : text));
	return {...changed, found: redactor.found()};
}

type WaitingTexts = ExportedEnd['waiting'];

/** Changes the text of an item, or of a waiting message. */
type Each = (text: string, id: string) => string;

function waitingIn({open}: StoredSession): WaitingTexts {
	return open.waiting.map(message => ({id: message.id, text: waitingText(message)}));
}

/** Changes the text of an item that is Markdown in an export: what the user and the model wrote. */
function changeProse(item: Item, each: Each): Item {
	if (item.type === 'compaction') return {...item, summary: each(item.summary, item.id)};
	if (item.type !== 'message' || item.role === 'system') return item;
	const text = each(item.text, item.id);
	return text === item.text ? item : withText(item, text);
}

function shownText(text: string): string {
	return textOfHtml(blocksHtml(blocksOf(text), () => undefined));
}

/**
Returns Markdown without the secrets that only its rendered text shows. A block with such a secret becomes its rendered
text in a code block. If a secret spans several blocks, the whole text becomes a code block.
*/
function withoutShown(text: string, hide: (text: string) => string): string {
	if (isInert(text, hide)) return text;
	const blocks = blocksOf(text).map(block => {
		const shown = textOfHtml(blocksHtml([block], () => undefined));
		const hidden = hide(shown);
		return hidden === shown ? block.raw : `\n\n${fenced(hidden)}\n\n`;
	});
	const changed = blocks.join('').trim();
	return isInert(changed, hide) ? changed : fenced(hide(shownText(text)));
}

function isInert(text: string, hide: (text: string) => string): boolean {
	const shown = shownText(text);
	return hide(shown) === shown;
}
