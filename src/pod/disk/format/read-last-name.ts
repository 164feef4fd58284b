import {parseItem} from '../../../worker/index.ts';
import {isOfUser, nameOfItem} from '../../protocol/session-name.ts';
import {readAt, type OpenFile} from '../files.ts';
import {bodyOf, spanOf} from './line.ts';

/**
Returns the line that names the user's last message in a history. It reads only the end of the file, so the result is
`undefined` if a long answer follows the message.
*/
export async function readLastName(file: OpenFile, size: number): Promise<string | undefined> {
	const length = Math.min(size, endBytes);
	const bytes = await readAt(file, size - length, length);
	for (let at = bytes.lastIndexOf(ofUser); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf(ofUser, at - 1)) {
		const start = bytes.lastIndexOf(newline, at) + 1;
		const end = bytes.indexOf(newline, at);
		const span = end < 0 ? undefined : spanOf(bytes, start, end);
		const item = span === undefined ? undefined : parseItem(bodyOf(bytes, span));
		if (isOfUser(item)) return nameOfItem(item);
	}
	return undefined;
}

const ofUser = '"type":"message","role":"user"';
const newline = 0x0a;
const endBytes = 16_384;
