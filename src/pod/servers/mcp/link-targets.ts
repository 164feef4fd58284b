import {resolve} from 'node:path';
import {resolveLinks} from '../../scope/locate.ts';
import {contains} from '../../ground/files/contains.ts';
import type {TrustContent} from '../../permissions/trust/store.ts';
import type {McpEntry, McpStart} from './entry.ts';

/**
Returns the targets of an entry's symbolic links, as real paths: of its folder, and of its program if the program is
in the project. Trust in the entry covers these targets. inkpod checks them again when the server starts.
*/
export async function linkTargetsOf(start: Stdio, pwd: string): Promise<readonly TrustContent[]> {
	const folder = resolve(pwd, start.cwd ?? '.');
	const real = await resolveLinks(folder);
	const program = start.command.includes('/') ? resolve(real, start.command) : undefined;
	const isTheirs = program !== undefined && contains(pwd, program);
	const programLink = isTheirs ? link('program it leads to', program, await resolveLinks(program)) : [];
	return [...link('folder it leads to', folder, real), ...programLink];
}

/** Returns the entry with the current targets of its symbolic links. */
export async function withLinkTargets(entry: McpEntry, pwd: string): Promise<McpEntry> {
	const {start} = entry;
	return start.transport === 'stdio'
		? {...entry, start: {...start, linkTargets: await linkTargetsOf(start, pwd)}}
		: entry;
}

export type ListName = (typeof listNames)[number];

/** Returns the list that has changed according to a notification, or `undefined` for other methods. */
export function changedList(method: unknown): ListName | undefined {
	return listNames.find(name => method === `notifications/${name}/list_changed`);
}

/**
Finds the announcements of changed lists in the pieces of a stream of events, even if a piece ends inside of an
announcement.
*/
export function createChangeFinder(onChange: (list: ListName) => void): (piece: Uint8Array) => void {
	let rest = '';
	return piece => {
		const text = rest + Buffer.from(piece).toString('latin1');
		for (const list of listNames) if (text.includes(`notifications/${list}/list_changed`)) onChange(list);
		rest = text.slice(-longest);
	};
}

type Stdio = Extract<McpStart, {transport: 'stdio'}>;

function link(name: string, written: string, real: string): readonly TrustContent[] {
	return written === real ? [] : [{name, text: real}];
}

/** The lists of a server that may change while it runs. */
const listNames = ['tools', 'resources', 'prompts'] as const;

/** The length of the longest announcement, minus one. */
const longest = 'notifications/resources/list_changed'.length - 1;
