import {failureOf, failureSentence, openFile, readAt, realFiles, type Files} from '../files.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {hasWrongCheck, spanOf} from '../format/line.ts';
import type {StoredSession} from '../log/read.ts';
import {historyFile} from '../paths.ts';
import {verifyTexts} from '../texts.ts';
import type {SideFinding} from './verify-summaries.ts';

/**
Finds the lines that follow the chain although their own check is wrong. Only another program writes such lines. Reading
a session does not look for them, because the chain already covers every byte of a line.
*/
export async function verifyChecks(
	{dir, decoded: {lines}}: Pick<StoredSession, 'dir' | 'decoded'>,
	files: Files = realFiles,
): Promise<readonly SideFinding[]> {
	const path = historyFile(dir);
	const items = lines.filter(line => 'item' in line);
	const findings: SideFinding[] = [];
	try {
		const file = await openFile(files, path);
		try {
			for (let at = 0, next = at; at < items.length; at = next) {
				const from = items[at]?.start ?? 0;
				while (next === at || (items[next]?.end ?? Infinity) - from <= pieceBytes) next += 1;
				const bytes = await readAt(file, from, (items[next - 1]?.end ?? from) - from);
				for (const {line, start, end} of items.slice(at, next)) {
					const span = spanOf(bytes, start - from, end - from);
					if (span !== undefined && hasWrongCheck(bytes, span))
						findings.push({path, level: 'failure', line, sentence: verifyTexts.wrongCheck});
				}
			}
		} finally {
			await file.close();
		}
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return [{path, level: 'failure', sentence: failureSentence(failureOf(error), path, error)}];
	}
	return findings;
}

const pieceBytes = 1_048_576;
