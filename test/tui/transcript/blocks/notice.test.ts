import {expect, test} from 'vitest';
import type {Event} from '../../../../src/pod/protocol.ts';
import {createTheme} from '../../../../src/tui/theme.ts';
import type {View} from '../../../../src/tui/transcript/block.ts';
import {createTranscriptStore} from '../../../../src/tui/transcript/store.ts';
import {createItems} from '../../../helpers/items.ts';

/** The rows of one system item. */
function rowsOf(view: View, text: string, origin: Readonly<Record<string, unknown>> & {readonly kind: string}): string[] {
	const snapshot: Event = {type: 'snapshot', session: {id: 's', model: 'm', scope: {pwd: '/', writable: true, readRoots: []}}, items: [createItems().system(text, origin)], tail: [], status: {kind: 'idle', asks: [], queue: []}};
	const store = createTranscriptStore({columns: 60, view, theme: createTheme(1)});
	store.dispatch(snapshot);
	return Array.from({length: store.count()}, (_, index) => store.rows(index)).flat().map(row => row.ansi.replaceAll(/\u001b\[[\d;]*m/g, '').trimEnd());
}

const origin = {kind: 'instructions', path: 'src/AGENTS.md', file: '/p/src/AGENTS.md', truncated: false, bytes: 2048, totalBytes: 2048, sha256: ''};

test('instructions, one row with path, lines and size; in detail what they say', () => {
	const text = '[Instructions: src/AGENTS.md]\nUse tabs.\nTest.\n';
	expect(rowsOf('normal', text, origin)).toEqual(['· Instructions src/AGENTS.md: 2 lines, 2 KB']);
	expect(rowsOf('detail', text, origin)).toEqual(['· Instructions src/AGENTS.md: 2 lines, 2 KB', '  │ Use tabs.', '  │ Test.']);
});

test('instructions that were cut or are gone, the row says so', () => {
	expect(rowsOf('normal', '[Instructions: src/AGENTS.md]\nUse\n[...truncated, 4096 bytes total]', {...origin, truncated: true, totalBytes: 4096})).toEqual(['· Instructions src/AGENTS.md: 1 line, truncated 2 KB of 4 KB']);
	expect(rowsOf('normal', '[Instructions: src/AGENTS.md, which was removed]', {...origin, gone: true})).toEqual(['· Instructions src/AGENTS.md: no longer there']);
});
