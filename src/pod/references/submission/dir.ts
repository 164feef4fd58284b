import {en} from '../../../language/index.ts';
import {onOneLine} from '../../ground/text/one-line.ts';
import type {Draft} from '../../../worker/index.ts';
import type {FileRef} from '../../protocol.ts';
import type {Scope} from '../../scope/scope.ts';
import {openDir, type Entry, type OpenedDir} from '../../scope/scoped-dir.ts';
import type {AttachmentFailed} from './attachment.ts';
import {diskPath} from '../../scope/disk-path.ts';

const maxEntries = 100;

/** Reads a directory as an attachment that lists its direct entries by name. */
export async function readDir(
	scope: Scope,
	ref: FileRef,
	signal: AbortSignal,
): Promise<{readonly ok: true; readonly draft: Draft<'message'>; readonly bytes: number} | AttachmentFailed> {
	if (ref.range !== undefined) return {ok: false, reason: 'bad_range', lineless: true};
	const dir = await openDir(scope, diskPath(ref.path, scope), {limit: maxEntries, signal});
	if (!dir.ok)
		return {ok: false, reason: dir.reason === 'not_a_directory' ? 'not_found' : dir.reason, cause: dir.cause};
	const body = listing(dir);
	const origin = {kind: 'dir', path: ref.path, entries: dir.total, truncated: dir.total > dir.entries.length};
	return {
		ok: true,
		draft: {type: 'message', role: 'system', text: `[Dir: ${onOneLine(ref.path)}]\n${body}`, origin},
		bytes: Buffer.byteLength(body),
	};
}

function listing({entries, total}: OpenedDir): string {
	if (total === 0) return en`(empty directory)`;
	const lines = entries.map(entry => inOneLine(entry.name) + marks[entry.kind]);
	return [
		...lines,
		...(total > entries.length ? [en`[...truncated, ${total} entries total — use glob for the rest]`] : []),
	].join('\n');
}

const marks: Readonly<Record<Entry['kind'], string>> = {directory: '/', symlink: '@', file: '', other: ''};

/**
Returns a name on one line. A name with a control character becomes a JSON string, so that it cannot imitate more
entries.
*/
function inOneLine(name: string): string {
	return /[\u0000-\u001F\u007F-\u009F\u2028\u2029]/.test(name) ? JSON.stringify(name) : name;
}
