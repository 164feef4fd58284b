import {describe, expect, it} from 'vitest';
import {fold} from '../../../../src/transcript/fold.ts';
import {emptyFold} from '../../../../src/transcript/fold-state.ts';
import {blockRows} from '../../../../src/screen/rows/conversation.ts';
import {blockText, labelOf, spokenRows} from '../../../../src/screen/rows/spoken/spoken-block.ts';
import {plainText} from '../../../../src/screen/spans/row.ts';
import {createItems} from '../../../helpers/items.ts';

const make = createItems();
const folded = emptyFold();
for (const item of [
	make.user('Why\u001b[2J?'),
	make.call('c1', 'read_file', {path: 'a.ts'}),
	make.result('c1', '3 lines', 'one'),
	make.assistant('# Because\n\n> of it\n>\n> and so on'),
])
	fold(folded, item);
const context = {columns: 30, view: 'normal', phase: 'waiting', isSpoken: true} as const;

describe('a block for a screen reader', () => {
	it('begins with the speaker or with what happened, without signs', () => {
		const texts = folded.blocks.map(block => blockText(blockRows(block, context), labelOf(block)));
		expect(texts).toEqual([
			'You: Why␛[2J?',
			'Tool read_file, finished: a.ts, 3 lines',
			'Answer: Heading 1: Because\n\nQuote: of it\n\nand so on',
		]);
	});

	it('becomes rows of a page, which are as wide as the page', () => {
		const [, tool] = folded.blocks;
		const rows = spokenRows(tool!, blockRows(tool!, context), 30);
		expect(rows.map(plainText)).toEqual(['Tool read_file, finished:', 'a.ts, 3 lines']);
		expect(spokenRows(tool!, [], 30)).toEqual([]);
	});
});
