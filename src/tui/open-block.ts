import {tell, type App, type Part} from './state/app.ts';
import {holdKeys} from './hold/hold-keys.ts';
import type {Way} from './open-stored.ts';
import type {Env} from './screen/program.ts';
import {textRow} from './text/row.ts';
import {cut} from './text/width.ts';
import type {Block} from './transcript/fold/block.ts';
import type * as StoredParts from './transcript/stored-parts.ts';
import type {StoredPart} from './transcript/stored-parts.ts';

/**
Opens what a block holds, exactly as it is stored, in the person's pager or editor, which has the terminal meanwhile. What is opened is a copy.
One key offers the texts of the blocks on the screen, the one that is looked at chosen; where there is only one it is opened at once.
*/
export function createOpenBlock(env: Env): Part {
	let stored: typeof StoredParts | undefined;
	let choice: Choice | undefined;
	let under: {dispose(): void} | undefined;
	let opening = false;

	async function open(app: App, part: StoredPart, way: Way): Promise<void> {
		const {openStored} = await import('./open-stored.ts');
		const told = await openStored(part, way, env, app.options.onHandOver, file => { under = file; });
		under = undefined;
		if (told !== undefined) tell(app, told);
	}

	function start(app: App, part: StoredPart, way: Way): void {
		choice = undefined;
		if (opening) return;
		opening = true;
		// The program has keys of its own: what came before it began goes to the draft.
		void holdKeys(app, async () => open(app, part, way).then(() => false)).finally(() => { opening = false; });
	}

	function offer(app: App, way: Way): void {
		if (stored === undefined) return;
		const {storedParts, mainPart} = stored;
		const blocks = [...new Map(app.frame.transcript.rows.map(({block}) => [block.id, block])).values()];
		const parts = blocks.flatMap(block => storedParts(block));
		const id = blockAtFocus(app)?.id;
		const at = parts.findIndex(part => part.id === id);
		if (parts.length === 0) tell(app, {level: 'info', text: 'There is nothing here to open.'});
		else if (parts.length === 1) start(app, parts[0]!, way);
		else choice = {parts, way, at: at === -1 ? 0 : at + mainPart(parts.filter(part => part.id === id))};
	}

	return {
		heard(_app, event) {
			// Loaded by the transcript already; a key is answered at once.
			if (event.type !== 'snapshot') return;
			void import('./transcript/stored-parts.ts').then(module => { stored = module; });
		},
		press(app, key) {
			const way = ways[app.state.setup.keymap.action(key) ?? ''];
			if (way !== undefined) {
				if (choice?.way === way) choice = undefined;
				else if (stored !== undefined) offer(app, way);
				else void holdKeys(app, async () => {
					await app.opened.promise;
					stored = await import('./transcript/stored-parts.ts');
					offer(app, way);
					return choice !== undefined;
				});
				return true;
			}
			if (choice === undefined) return false;
			const {parts, at} = choice;
			const move = key.ctrl || key.alt || key.shift ? undefined : moves[key.name];
			if (move !== undefined) choice = {...choice, at: Math.max(0, Math.min(parts.length - 1, at + move))};
			else if (key.name === 'enter') start(app, parts[at]!, choice.way);
			else choice = undefined;
			return move !== undefined || key.name === 'enter' || key.name === 'escape';
		},
		rows(_app, columns, most) {
			if (choice === undefined || most < 2) return [];
			const {parts, at, way} = choice;
			const room = Math.min(parts.length, most - 1, mostRows);
			const from = Math.max(0, Math.min(at - Math.floor(room / 2), parts.length - room));
			const title = cut(`In the ${way}, as stored · ${at + 1} of ${parts.length} · Enter opens, Esc closes`, columns, '…');
			return [textRow(title, 'dim'), ...parts.slice(from, from + room).map((part, index) => {
				const isChosen = from + index === at;
				return textRow(cut(`${isChosen ? '❯' : ' '} ${part.name}`, columns, '…'), isChosen ? 'accent' : 'dim');
			})];
		},
		leave: () => under?.dispose(),
	};
}

/** The block that a person looks at: while the view follows the end, the last one that says something; else the one at the top of the view. */
export function blockAtFocus(app: App): Block | undefined {
	const {rows} = app.frame.transcript;
	const last = app.state.scroll.follow ? rows.findLast(({block}) => block.kind !== 'foot' && block.kind !== 'notice') : undefined;
	return (last ?? rows[0])?.block;
}

/** By the names of their actions. */
const ways: {readonly [action: string]: Way | undefined} = {'open in pager': 'pager', 'open in editor': 'editor'};
const moves: {readonly [key: string]: number | undefined} = {up: -1, down: 1, pageup: -5, pagedown: 5, home: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY};
const mostRows = 8;

type Choice = {readonly parts: readonly StoredPart[]; readonly way: Way; readonly at: number};
