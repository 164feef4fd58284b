import path from 'node:path';
import type {SourceFile} from './source-file.ts';

/**
The rooms of src/pod, from top to bottom. A file imports only its own room and the rooms below it. `doors` are the files
through which the layers above import the pod.
*/
export const podRooms: readonly string[] = [
	'doors',
	'open',
	'features',
	'family',
	'servers',
	'core',
	'run',
	'context',
	'references',
	'tools',
	'models',
	'config',
	'permissions',
	'remote',
	'disk',
	'scope',
	'platform',
	'ground',
	'protocol',
];

/** The rooms of the files that are directly in src/pod. */
const rootFiles: Readonly<Record<string, string>> = {
	'index.ts': 'doors',
	'first-frame.ts': 'doors',
	'open.ts': 'open',
	'pod.ts': 'core',
	'protocol.ts': 'protocol',
};

/** Finds the files of the pod that are in no room, and the imports of rooms that are not below. */
export function upwardImports(files: readonly SourceFile[], rooms: readonly string[] = podRooms): string[] {
	return files.flatMap(file => {
		const from = floorOf(file.path, rooms);
		if (from === undefined) return [];
		if (from === -1) return [`${file.path} is in no room`];
		return file.imports.flatMap(({specifier, line}) => {
			const target = path.posix.join(path.posix.dirname(file.path), specifier);
			const to = specifier.startsWith('.') ? floorOf(target, rooms) : undefined;
			return to === undefined || to >= from ? [] : [`${file.path}:${line} imports ${target}, which is above it`];
		});
	});
}

/** Returns the place of a file's room in the list: -1 for none, `undefined` outside the pod. */
function floorOf(file: string, rooms: readonly string[]): number | undefined {
	const [, inside] = /^src\/pod\/(.*)$/u.exec(file) ?? [];
	if (inside === undefined) return undefined;
	const [first = '', ...rest] = inside.split('/');
	return rooms.indexOf(rest.length === 0 ? (rootFiles[first] ?? '') : first);
}
