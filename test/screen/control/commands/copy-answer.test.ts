import {describe, expect, it} from 'vitest';
import {codeBlocks} from '../../../../src/screen/control/commands/copy-answer.ts';
import {fakeApp, fakePod, until} from '../../../helpers/fake-app.ts';

const answer = [
	'Look:',
	'',
	'```ts',
	'const a = 1;',
	'\treturn `x`;',
	'```',
	'',
	'- in a list',
	'',
	'  ~~~',
	'  two',
	'  ~~~',
	'',
	'> ```',
	'> quoted',
	'> ```',
	'',
	'    indented is none',
	'',
	'````md',
	'```',
	'inner',
	'```',
	'````',
	'',
].join('\n');

describe('the code blocks of a text', () => {
	it('are its fenced blocks, even in lists and quotes, as stored', () => {
		expect(codeBlocks(answer)).toEqual(['const a = 1;\n\treturn `x`;', 'two', 'quoted', '```\ninner\n```']);
	});

	it('include the unfinished last one while an answer streams', () => {
		expect(codeBlocks('```\na\nb')).toEqual(['a\nb']);
	});
});

describe('/copy', () => {
	async function copyApp(argument: string, copied = {ok: true as const, by: 'program' as const, program: 'pbcopy'}) {
		const texts: string[] = [];
		const made = await fakeApp(fakePod(), {
			async copy(text) {
				texts.push(text);
				return copied;
			},
		});
		made.commit({type: 'message', role: 'assistant', text: 'the first one'});
		made.commit({type: 'message', role: 'assistant', text: answer});
		made.commit({type: 'message', role: 'assistant', text: '\n'});
		made.commit({type: 'message', role: 'user', text: 'thanks'});
		made.type(`/copy ${argument}`);
		made.press('enter');
		await until(() => made.told().length > 0);
		return {texts, told: made.told()};
	}

	it('copies the last answer as it is stored', async () => {
		expect(await copyApp('')).toEqual({texts: [answer], told: ['Copied the last answer (pbcopy).']});
	});

	it('copies the code block of the given number', async () => {
		expect(await copyApp('2')).toEqual({
			texts: ['two'],
			told: ['Copied code block 2 of the last answer (pbcopy).'],
		});
	});

	it.each([
		['9', 'The last answer has 4 code blocks.'],
		['0', 'Usage: /copy [n], where n is the number of a code block.'],
		['all', 'Usage: /copy [n], where n is the number of a code block.'],
	])('with the argument %s shows: %s', async (argument, sentence) => {
		expect(await copyApp(argument)).toEqual({texts: [], told: [sentence]});
	});

	it('makes no claim of success when the terminal copies', async () => {
		expect((await copyApp('', {ok: true, by: 'terminal'} as never)).told).toEqual([
			'Copied the last answer via OSC 52 (if your terminal supports it).',
		]);
	});

	it('shows an error when there is no answer yet', async () => {
		const {type, press, told} = await fakeApp(fakePod(), {copy: async () => ({ok: true, by: 'terminal'})});
		type('/copy');
		press('enter');
		await until(() => told().length > 0);
		expect(told()).toEqual(['No answer to copy yet.']);
	});
});
