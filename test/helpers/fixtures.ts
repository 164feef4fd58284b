import {mkdir, readFile, utimes, writeFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import {fileURLToPath} from 'node:url';
import {historyFile, sessionDir, sessionsRoot} from '../../src/pod/disk/paths.ts';
import type {Item} from '../../src/pod/protocol.ts';
import type {Size} from '../../src/screen/model/terminal-state.ts';
import {parseItem} from '../../src/worker/index.ts';
import {historyText} from './items.ts';
import {cleanEnvironment} from './pty.ts';
import {situations} from './situations.ts';
import type {TempProject} from './temp-project.ts';

export const fixtureNames = Object.keys(situations);

/** The sizes of the screens in a screen.txt. */
export const screenSizes: readonly Size[] = [
	{columns: 80, rows: 24},
	{columns: 100, rows: 40},
];

export type FixtureFile = 'history.json' | '80.txt' | '40.txt' | 'screen.txt';

export function fixturePath(name: string, file: FixtureFile): string {
	return fileURLToPath(new URL(`../fixtures/${name}/${file}`, import.meta.url));
}

/** Returns the items of a stored history, as inkpod reads them from disk. */
export function storedItems(document: string): readonly Item[] {
	return (JSON.parse(document) as {items: unknown[]}).items.map(value => parseItem(value)!);
}

/** Makes the colours of a text visible: `‹31›` stands for SGR 31. */
export function withVisibleColours(text: string): string {
	if (/[‹›]/u.test(text)) throw new Error('A text with ‹ or › cannot be read back.');
	return text.replaceAll(/\x1b\[([\d;]*)m/gu, '‹$1›');
}

/** Reverses `withVisibleColours`. */
export function withColours(text: string): string {
	return text.replaceAll(/‹([\d;]*)›/gu, '\x1b[$1m');
}

/** A part of a fixture's file, with its own heading. */
export type Section = {readonly heading: string; readonly lines: readonly string[]};

export function sectionsText(sections: readonly Section[]): string {
	const textOf = ({heading, lines}: Section) =>
		[`=== ${heading}`, ...lines.map(line => line.trimEnd()), ''].join('\n');
	return sections.map(textOf).join('\n');
}

/** A whole screen: its rows and the position of its cursor, counted from 0. */
export type ShownScreen = {
	readonly size: Size;
	readonly rows: readonly string[];
	readonly cursor: {readonly x: number; readonly y: number};
};

export function screenText(screens: readonly ShownScreen[]): string {
	return sectionsText(
		screens.map(({size: {columns, rows}, rows: lines, cursor: {x, y}}) => ({
			heading: `${columns}x${rows}, cursor in row ${y}, column ${x}`,
			lines: lines.map(withVisibleColours),
		})),
	);
}

/** Returns the screens of a screen.txt. */
export function parseScreens(text: string): readonly ShownScreen[] {
	return [...text.matchAll(/^=== (\d+)x(\d+), cursor in row (\d+), column (\d+)\n/gmu)].map(found => {
		const [columns, rows, y, x] = found.slice(1).map(Number) as [number, number, number, number];
		const lines = text
			.slice(found.index + found[0].length)
			.split('\n')
			.slice(0, rows);
		return {size: {columns, rows}, rows: lines.map(withColours), cursor: {x, y}};
	});
}

/**
Stores a fixture's history.json as a session of a project. The project's home is the folder around it. The session has
the same items, but its own id and folder. Files that changed since are in the project, and all others are missing.
Returns the id.
*/
export async function storeFixture(project: TempProject, name: string): Promise<string> {
	const id = fixtureId(name);
	const dir = sessionDir(sessionsRoot(fixtureEnvironment(project)), project.dir, id);
	const items = storedItems(await readFile(fixturePath(name, 'history.json'), 'utf8'));
	await mkdir(dir, {recursive: true});
	await writeFile(historyFile(dir), historyText(items, id, project.dir), {mode: 0o600});
	for (const path of changedPaths(name)) await project.write(path, 'Other contents.\n');
	return id;
}

/**
Writes the files that a fixture's model read, with the size and the time that the items record. inkpod takes them for
unchanged then.
*/
export async function writeSeenFiles(project: TempProject, name: string): Promise<void> {
	for (const item of situations[name]!().items) {
		const origin = item.type === 'message' ? item.origin : undefined;
		if (origin?.['kind'] !== 'file') continue;
		const path = await project.write(String(origin['path']), '.'.repeat(Number(origin['totalBytes'])));
		await utimes(path, 0, Number(origin['mtimeMs']) / 1000);
	}
}

function changedPaths(name: string): readonly string[] {
	const {items, stale = {}} = situations[name]!();
	const changed = items.filter(({id}) => stale[id] === 'changed');
	return changed.flatMap(item => (item.type === 'message' ? [String(item.origin?.['path'])] : []));
}

/** Returns the environment in which a fixture is resumed: `~/project`. */
export function fixtureEnvironment(project: TempProject): Record<string, string> {
	return cleanEnvironment(dirname(project.dir));
}

function fixtureId(name: string): string {
	return `01JZZZZZZZZZZZZZZZZZZZZZ${String(fixtureNames.indexOf(name)).padStart(2, '0')}`;
}
