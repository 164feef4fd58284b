import {describe, expect, it} from 'vitest';
import type {ThinkPiece} from '../../../../../src/worker/wires/reading/chat/channels.ts';
import {createThinkTags} from '../../../../../src/worker/wires/reading/chat/think-tags.ts';

/** Splits a text into thought and text, in pieces of this many characters. */
function split(whole: string, size: number): readonly [thought: string, text: string] {
	const tags = createThinkTags();
	const pieces: ThinkPiece[] = [];
	for (let at = 0; at < whole.length; at += size) pieces.push(...tags.push(whole.slice(at, at + size)));
	pieces.push(...tags.flush());
	const joined = (kind: string) => pieces.flatMap(piece => (piece.kind === kind ? [piece.text] : [])).join('');
	return [joined('reasoning'), joined('text')];
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
		['</think>Hi', '', '</think>Hi'],
		['<', '', '<'],
		['', '', ''],
	])('split %j, however it arrives', (whole, thought, text) => {
		for (const size of [1, 2, 3, 5, 7, 1000]) expect(split(whole, size)).toEqual([thought, text]);
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
