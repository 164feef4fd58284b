import {expect, it} from 'vitest';
import {assistantRenderer} from '../../../src/screen/rows/assistant.ts';
import type {BlockOf} from '../../../src/transcript/block.ts';
import {createItems} from '../../helpers/items.ts';

it.each([
	['## Title\n\nwords', 'Title'],
	['**a.ts** (3 lines)\nmore', '**a.ts** (3 lines)'],
	['`a.ts` is short', '`a.ts` is short'],
	['\n> - quoted', 'quoted'],
	['```ts\nconst a = 1;\n```', 'const a = 1;'],
	['-1 is less', '-1 is less'],
	['', ''],
])('the overview shows the first words of %j as stored', (text, expected) => {
	const item = createItems().assistant(text);
	const block: BlockOf<'assistant'> = {kind: 'assistant', id: item.id, item, open: false};
	const {spans} = assistantRenderer.head(block, {columns: 80, view: 'overview', phase: 'waiting'});
	expect(spans.map(span => span.text).join('')).toBe(expected);
});
