import path from 'node:path';
import type {SourceFile} from './source-file.ts';

/*
The plan of src/tui: which room a file is in, and which rooms it may import. A room may import rooms above it.
From top to bottom these are the ground, the parts of the transcript, values and the state. Then come code that reads
the state, code that changes it, effects, views, and code that opens the screen. A feature's folder has files in several
rooms. Their names say which (`x-state`, `x-rows`, `x-reducers`, ...).
*/
type Room = {readonly name: RoomName; readonly files: RegExp; readonly may: readonly RoomName[]};

type RoomName =
	| 'text'
	| 'input'
	| 'compositor'
	| 'output'
	| 'terminal'
	| 'keymap'
	| 'editor'
	| 'fold'
	| 'markdown'
	| 'rows'
	| 'transcript'
	| 'values'
	| 'state'
	| 'readers'
	| 'services'
	| 'reducers'
	| 'geometry'
	| 'handlers'
	| 'door'
	| 'hooks'
	| 'components'
	| 'screen';

const acting: readonly RoomName[] = [
	'text',
	'input',
	'keymap',
	'editor',
	'fold',
	'markdown',
	'rows',
	'transcript',
	'values',
	'state',
	'readers',
	'terminal',
	'services',
	'reducers',
	'geometry',
	'handlers',
];

/** A file belongs to the first room with a matching path. Paths are relative to src/tui. */
export const plan: readonly Room[] = [
	{name: 'text', files: /^text\/|(?:^|\/)texts\.ts$/u, may: []},
	{name: 'input', files: /^terminal\/input\//u, may: []},
	{name: 'compositor', files: /^terminal\/compositor\//u, may: ['text']},
	{name: 'output', files: /^terminal\/output\//u, may: []},
	{name: 'terminal', files: /^terminal\//u, may: ['text', 'input']},
	{name: 'keymap', files: /^(?:keymap|size)\.ts$/u, may: ['text', 'input']},
	{name: 'editor', files: /^composer\/editor\//u, may: ['text']},

	{name: 'fold', files: /^transcript\/fold\//u, may: ['text']},
	{name: 'markdown', files: /^transcript\/markdown\//u, may: ['text']},
	{name: 'rows', files: /^transcript\/(?:rows|diff)\//u, may: ['text', 'fold', 'markdown']},
	{
		name: 'transcript',
		files: /^transcript\/(?:(?:row-cache|store|block-sources|pill)|viewport\/[\w-]+|scroll\/(?:scroll-to|wheel))\.ts$/u,
		may: ['text', 'fold', 'markdown', 'rows'],
	},

	{
		name: 'state',
		files: /^state\/(?:actions|app-state|selectors)\.ts$/u,
		may: ['text', 'keymap', 'editor', 'transcript', 'values'],
	},
	{
		name: 'services',
		files: /^state\/(?:app|runtime|tables|timers|drafts\/draft-store)\.ts$/u,
		may: ['transcript', 'values', 'terminal', 'state'],
	},
	{name: 'hooks', files: /^hooks\/|\/use-[\w-]+\.ts$/u, may: ['text', 'transcript', 'readers']},
	{
		name: 'readers',
		files: anyOf(
			/-(?:rows|marks|facts)\.ts$/u,
			/^layout\.ts$/u,
			/^notifications\/notifications\.ts$/u,
			/^card\/card-(?:step|window)\.ts$/u,
			/^spoken\/(?:reading|spoken-composer)\.ts$/u,
			/^picker\/picker-view\.ts$/u,
			/^state\/drafts\/edits\.ts$/u,
			/^transcript\/blocks\/same-block\.ts$/u,
		),
		may: ['text', 'keymap', 'editor', 'fold', 'markdown', 'rows', 'transcript', 'values', 'state'],
	},
	{
		name: 'reducers',
		files: /-reducers\.ts$|^state\/reduce\.ts$/u,
		may: ['editor', 'transcript', 'values', 'state', 'readers', 'services'],
	},
	{name: 'geometry', files: /^geometry\.ts$/u, may: ['text', 'fold', 'transcript', 'readers', 'services']},
	{
		name: 'handlers',
		files: anyOf(
			/-(?:effects|keys|mouse)\.ts$/u,
			/^card\/ask-here\.ts$/u,
			/^completion\/asker\.ts$/u,
			/^commands\/(?:compact|copy-answer|detach|export|paste-image|run-command|switch-to)\.ts$/u,
			/^state\/(?:scroll\/(?:put-caret|scroll-view)|drafts\/external-editor)\.ts$/u,
			/^opener\/open-stored\.ts$/u,
			/^pages\/rewind\/(?:escape-twice|files-card|going-back)\.ts$/u,
			/^pages\/request\/show-request\.ts$/u,
			/^preflight\/confirm-draft\.ts$/u,
			/^stale-files\/attach-again\.ts$/u,
			/^state\/(?:submit\/(?:submit|take-back)|drafts\/draft-autosave)\.ts$/u,
		),
		may: acting,
	},
	{
		name: 'door',
		files: anyOf(
			/^state\/(?:create-app|effects|load-session|pod-events|keys\/(?:keys-in|key-layers))\.ts$/u,
			/^picker\/picker-store\.ts$/u,
		),
		may: acting,
	},
	{
		name: 'screen',
		files: anyOf(
			/^screen\/|^render\.tsx$|^spoken\/spoken-(?:view|screen)\.ts$/u,
			/^picker\/(?:open-picker|show-picker|picker-screen)\.tsx?$/u,
		),
		may: [...acting, 'compositor', 'door', 'hooks', 'components'],
	},
	{
		name: 'components',
		files: /\.tsx$/u,
		may: ['text', 'fold', 'rows', 'transcript', 'values', 'readers', 'hooks'],
	},
	// The other files of a feature's folder: values and pure functions that do not import the whole state.
	{
		name: 'values',
		files: /^[\w-]+\//u,
		may: ['text', 'input', 'keymap', 'editor', 'fold', 'markdown', 'rows', 'transcript', 'terminal'],
	},
];

/** Finds imports between rooms that the plan does not allow. */
export function arrowsAgainstPlan(files: readonly SourceFile[]): string[] {
	return files
		.filter(file => file.path.startsWith(root))
		.flatMap(file => {
			const room = roomOf(file.path);
			if (room === undefined) return [`${file.path} is in no room of the plan`];
			return file.imports.flatMap(({specifier, line}) => {
				const target = path.posix.join(path.posix.dirname(file.path), specifier);
				if (!specifier.startsWith('.') || !target.startsWith(root)) return [];
				const to = roomOf(target);
				if (to === undefined || to === room || room.may.includes(to.name)) return [];
				return [`${file.path}:${line} (${room.name}) imports ${target} (${to.name})`];
			});
		});
}

/** Finds cycles between rooms. A plan that allows one would allow everything. */
export function circlesIn(rooms: readonly Room[]): string[] {
	const left = new Map(rooms.map(({name, may}) => [name, new Set(may.filter(each => each !== name))]));
	for (let free = lowest(left); free !== undefined; free = lowest(left)) {
		left.delete(free);
		for (const may of left.values()) may.delete(free);
	}
	return [...left.keys()];
}

function lowest(rooms: ReadonlyMap<RoomName, ReadonlySet<RoomName>>): RoomName | undefined {
	return [...rooms].find(([, may]) => may.size === 0)?.[0];
}

function anyOf(...patterns: readonly RegExp[]): RegExp {
	return new RegExp(patterns.map(({source}) => source).join('|'), 'u');
}

function roomOf(file: string): Room | undefined {
	return plan.find(({files}) => files.test(file.slice(root.length)));
}

const root = 'src/tui/';
