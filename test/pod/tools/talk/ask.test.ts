import {describe, expect, it} from 'vitest';
import type {Ask} from '../../../../src/pod/protocol.ts';
import type {Answer} from '../../../../src/pod/permissions/approval/asks.ts';
import {askTool} from '../../../../src/pod/tools/talk/ask.ts';
import {runTool} from '../run-tool.ts';

const questions = [
	{title: 'Which database?', options: ['Postgres', 'SQLite']},
	{title: 'Which targets?', options: ['linux', 'mac'], multiple: true},
	{title: 'Which name?'},
];

function answering(answer: Answer) {
	const asked: Array<Omit<Ask, 'id'>> = [];
	const ask = async (question: Omit<Ask, 'id'>) => {
		asked.push(question);
		return answer;
	};
	return {tool: askTool({ask}), asked};
}

describe('the tool ask', () => {
	it('shows all questions on one card and returns the answers as text and as details', async () => {
		const answers = [{options: [1]}, {options: [0, 1]}, {text: ' shop '}];
		const {tool, asked} = answering({choice: 'answer', answers});
		const output = await runTool(tool, {questions});
		expect(asked).toHaveLength(1);
		expect(asked[0]).toMatchObject({callId: 'call_1', title: '3 questions', questions});
		expect(output.summary).toBe('3 of 3 answered');
		expect(output.content).toContain('Question: Which targets?\nAnswer: linux; mac');
		expect(output.details).toEqual({
			answers: [
				{title: 'Which database?', answer: 'SQLite'},
				{title: 'Which targets?', answer: 'linux; mac'},
				{title: 'Which name?', answer: 'shop'},
			],
		});
	});

	it('reports questions without an answer, and what the user said instead', async () => {
		const {tool} = answering({choice: 'none', reason: 'ask me later'});
		const output = await runTool(tool, {questions: [{title: 'Which name?'}]});
		expect(output).toMatchObject({summary: 'no answer', details: {answers: [{title: 'Which name?'}]}});
		expect(output.content).toBe('Question: Which name?\nAnswer: (no answer)\n\nThe user says: ask me later');
	});

	it('ignores options that a question does not have', async () => {
		const {tool} = answering({choice: 'answer', answers: [{options: [6]}]});
		const output = await runTool(tool, {questions: questions.slice(0, 1)});
		expect(output.summary).toBe('no answer');
	});

	it('is denied where nobody can answer', async () => {
		const output = await runTool(askTool({}), {questions});
		expect(output).toMatchObject({isError: true, details: {denied: {by: 'unattended'}}});
	});

	it.each([
		['too many questions', Array.from({length: 9}, () => ({title: 'a'}))],
		['too many options', [{title: 'a', options: Array.from({length: 8}, String)}]],
		['a title that is too long', [{title: 'a'.repeat(501)}]],
		['a blank title', [{title: ' \n'}]],
		['no question', []],
	])('refuses %s', (_, given) => {
		expect(askTool({}).check({questions: given}).ok).toBe(false);
	});
});
