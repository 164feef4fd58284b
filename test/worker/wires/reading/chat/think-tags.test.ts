import {describe, expect, it} from 'vitest';
import type {ThinkPiece} from '../../../../../src/worker/wires/reading/chat/channels.ts';
import {createThinkTags} from '../../../../../src/worker/wires/reading/chat/think-tags.ts';

/** Splits a text into thought and text, in pieces of this many characters. */
function split(whole: string, size: number): readonly [thought: string, text: string] {
	const tags = createThinkTags();
	const pieces: ThinkPiece[] = [];
	for (let at = 0; at < whole.length; at += size) pieces.push(...tags.push(whole.slice(at, at + size)));
	pieces.push(...tags.flush());
	const end = pieces.findLastIndex(({kind}) => kind === 'unopened') + 1;
	const joined = (kind: string, from: number) =>
		pieces.flatMap((piece, index) => (piece.kind === kind && index >= from ? [piece.text] : [])).join('');
	const unopened = pieces.slice(0, end).map(({text}) => text);
	return [unopened.join('') + joined('reasoning', end), joined('text', end)];
}

describe('think tags', () => {
	it.each([
		['<think>Hm</think>Hi', 'Hm', 'Hi'],
		['<think>\nHm\n</think>\n\nHi', 'Hm\n', 'Hi'],
		['\n <thinking>Hm</thinking> Hi', 'Hm', 'Hi'],
		['<thought>Hm</thought>Hi', 'Hm', 'Hi'],
		['<think>\n\n</think>\n\nHi', '', 'Hi'],
		['<think></think>Hi', '', 'Hi'],
		['<think>Hm </thin </think >x</think>Hi', 'Hm </thin </think >x', 'Hi'],
		['<think>Hm, not closed </thi', 'Hm, not closed </thi', ''],
		['<think>a</think>b<think>c</think>', 'a', 'b<think>c</think>'],
		['Hi <think>Hm</think>', '', 'Hi <think>Hm</think>'],
		['<thinker>Hm</thinker>', '', '<thinker>Hm</thinker>'],
		['<thi', '', '<thi'],
		['  Hi', '', '  Hi'],
		['</think>Hi', '', 'Hi'],
		['\n</think>\n\nHi', '', 'Hi'],
		['</thi', '', '</thi'],
		['Hm\n</think>Hi', 'Hm\n', 'Hi'],
		['  Hm, a < b.\n</think>\n\nHi', '  Hm, a < b.\n', 'Hi'],
		['Hm.\n </thinking> Hi', 'Hm.\n ', 'Hi'],
		['Hm\n</think>', 'Hm\n', ''],
		['Hm</thi', '', 'Hm</thi'],
		['Hm\n</think>Hi\n</think>Ho', 'Hm\n', 'Hi\n</think>Ho'],
		['Hm `</think>` is a tag.\n</think>\nHi', 'Hm `</think>` is a tag.\n', 'Hi'],
		['The tag `</think>` ends it.', '', 'The tag `</think>` ends it.'],
		['The tag </think> ends it.', '', 'The tag </think> ends it.'],
		['Write "</think>", then', '', 'Write "</think>", then'],
		...[
			'Hm.</think>Hi',
			"Use:\n\n`re.sub(r'.*</think>', '', text)`\n",
			'The closing tag is **</think>**.',
			'- </think>: closes it',
			'|</think>|end|',
			'标签</think>表示',
			'Use this tag:\n\n</think>\n\nIt ends',
		].map((text): [string, string, string] => [text, '', text]),
		['From <think> to\n</think>.', '', 'From <think> to\n</think>.'],
		['So:\n```\n</think>\n```\n', '', 'So:\n```\n</think>\n```\n'],
		['<', '', '<'],
		['', '', ''],
	])('split %j, however it arrives', (whole, thought, text) => {
		for (const size of [1, 2, 3, 5, 7, 1000]) expect(split(whole, size)).toEqual([thought, text]);
	});

	it('leave a closing tag in the text after a call or a thought', () => {
		const afterCall = createThinkTags();
		const pieces = [...afterCall.push('I look.'), ...afterCall.flush(), ...afterCall.push('Hm\n</think>Hi')];
		expect(pieces.map(({kind}) => kind)).not.toContain('unopened');
		const afterThought = createThinkTags();
		expect([...afterThought.push('So</'), ...afterThought.noteThought()]).toEqual([
			{kind: 'text', text: 'So'},
			{kind: 'text', text: '</'},
		]);
		expect(afterThought.push('Hm\n</think>Hi')).toEqual([{kind: 'text', text: 'Hm\n</think>Hi'}]);
	});

	it('are read in linear time when a text has very many', () => {
		const tags = createThinkTags();
		const whole = `${'The tag "</think>" ends it.'.repeat(40_000)}${' '.repeat(1_000_000)}`;
		const began = performance.now();
		for (let at = 0; at < whole.length; at += 1000) tags.push(whole.slice(at, at + 1000));
		expect(performance.now() - began).toBeLessThan(1000);
	});

	const [thinks, start] = ['<|channel|>analysis<|message|>', '<|start|>assistant'];
	const says = `${start}<|channel|>final<|message|>`;

	it.each([
		[`${thinks}Hm<|end|>${says}Hi`, 'Hm', 'Hi'],
		[`${thinks}Hm<|end|>${says}Hi<|return|>`, 'Hm', 'Hi'],
		[` ${start}${thinks}Hm${says}Hi<|end|>`, 'Hm', 'Hi'],
		[`${thinks}Hm<|end|><|channel|>final<|message|>Hi`, 'Hm', 'Hi'],
		[`${thinks}a<|end|>${start}${thinks}b<|end|>${says}Hi`, 'ab', 'Hi'],
		[`${thinks}a<|end|>${start}<|channel|>commentary<|message|>I look.<|end|>`, 'a', 'I look.'],
		['<|channel|>final<|message|>Hi<|return|>', '', 'Hi'],
		[`${thinks}Hm<|end|>${start}<|channel|>com`, 'Hm', ''],
		[
			`${thinks}Is <|end|> a mark?<|end|>${says}<|end|> is <b>one</b>.`,
			'Is <|end|> a mark?',
			'<|end|> is <b>one</b>.',
		],
		[`${thinks}Hm<|en`, 'Hm<|en', ''],
		[thinks, '', ''],
		[`Write ${thinks}Hm<|end|>${says}.`, '', `Write ${thinks}Hm<|end|>${says}.`],
		[`\`${thinks}\``, '', `\`${thinks}\``],
		['<|channel|>other<|message|>x', '', '<|channel|>other<|message|>x'],
		['<|channel|> is a mark', '', '<|channel|> is a mark'],
	])('split the channels of %j, however they arrive', (whole, thought, text) => {
		for (let size = 1; size < 40; size++) expect(split(whole, size)).toEqual([thought, text]);
	});
});
