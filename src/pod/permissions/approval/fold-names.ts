import {lstatSync, opendirSync} from 'node:fs';
import {join} from 'node:path';
import {errorCode} from '../../ground/files/fs-error.ts';
import {isSameFile} from '../../platform/file-identity.ts';
import {systemOf} from '../../platform/system.ts';

/**
Tells whether the file system of a folder takes names for the same that differ in case. Those of macOS then also take
the composed and the decomposed form of a letter for the same. An empty folder counts as the system usually does.
*/
export function foldsNames(folder: string, platform?: NodeJS.Platform): boolean {
	try {
		const entries = opendirSync(folder);
		try {
			for (let read = 0; read < maxEntries; read += 1) {
				const name = entries.readSync()?.name;
				if (name === undefined) break;
				const other = swapCase(name);
				if (other !== name) return isSame(join(folder, name), join(folder, other));
			}
		} finally {
			entries.closeSync();
		}
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
	}
	return systemOf(platform).foldsNames;
}

/**
Returns the form in which names and patterns are compared. Names that a file system takes for the same have one form.
*/
export function foldName(name: string): string {
	return name.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

/** The number of entries without letters after which no more are read. */
const maxEntries = 100;

function swapCase(name: string): string {
	return name.replaceAll(/[a-z]/gi, letter =>
		letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
	);
}

function isSame(path: string, other: string): boolean {
	const [one, two] = [path, other].map(each => lstatSync(each, {throwIfNoEntry: false}));
	return isSameFile(one, two);
}
