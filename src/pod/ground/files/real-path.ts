import {isUtf8} from 'node:buffer';
import {realpath} from 'node:fs/promises';

/**
Returns the real path, as `realpath` does. Node replaces bytes that are not UTF-8 with U+FFFD, which could name another
file. For such a path the promise rejects with EILSEQ, unless the program uses byte paths (use-byte-paths.ts).
*/
export async function realPath(path: string): Promise<string> {
	const real = await realpath(path);
	if (!real.includes('\ufffd') || isUtf8(await realpath(path, 'buffer'))) return real;
	throw Object.assign(new Error(`the real path of ${path} is not UTF-8`), {code: 'EILSEQ'});
}
