import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import type {Item} from '../../src/pod/protocol.ts';
import {onlyHistory} from '../helpers/chat.ts';
import {runProgram} from '../helpers/program.ts';
import {tempProject} from '../helpers/temp-project.ts';

const call = (name: string, args: object) => ({type: 'tool_call', name, arguments: args});

/** Calls that fail in many ways, and some that succeed. */
const calls = [
	call('read_file', {path: 'missing.md'}),
	call('read_file', {path: 'folder'}),
	call('read_file', {path: 'image.png'}),
	call('read_file', {path: 'binary.bin'}),
	call('read_file', {path: '/etc/hostname'}),
	call('read_file', {path: '.env'}),
	call('read_file', {path: 'a.md', offset: 99}),
	call('read_file', {path: 'long.txt'}),
	call('read_file', {path: 'empty.txt'}),
	call('edit_file', {path: 'b.md', edits: [{old: 'x', new: 'y'}]}),
	call('edit_file', {path: 'long.txt', edits: [{old: 'absent', new: 'y'}]}),
	call('edit_file', {path: 'long.txt', edits: [{old: 'word', new: 'y'}]}),
	call('write_file', {path: 'b.md', content: 'y'}),
	call('write_file', {path: 'folder', content: 'y'}),
	call('write_file', {path: '../out.md', content: 'y'}),
	call('write_file', {path: 'new.md', content: 'one\ntwo\n'}),
	call('glob', {pattern: '{a'}),
	call('glob', {pattern: '*.none'}),
	call('glob', {pattern: '*.md'}),
	call('grep', {pattern: '('}),
	call('grep', {pattern: 'absent'}),
	call('grep', {pattern: 'word', limit: 2}),
	call('bash', {command: 'exit 3'}),
	call('bash', {command: 'kill -9 $$'}),
	call('bash', {command: 'sleep 9', timeout: 1}),
	call('bash', {command: 'yes | head -c 300000'}),
	call('bash_stop', {id: 'b9'}),
	call('fetch', {url: 'ftp://example.com'}),
	call('fetch', {url: 'nowhere'}),
	call('fetch', {url: 'http://127.0.0.1:9/'}),
	call('workflow', {slug: 'absent'}),
	call('workflow', {slug: 'broken'}),
	call('ask', {questions: [{title: 'Why?'}]}),
	call('plan', {plan: '# A plan'}),
	call('pod', {title: 'x', task: 'x', scope: {path: 'absent'}}),
	call('pod', {title: 'x', task: 'x', model: 'absent/model'}),
	call('pod', {title: 'x', task: 'x', tools: ['absent']}),
	call('pod', {title: 'x', task: 'x', worktree: true}),
	call('absent_tool', {}),
	call('read_file', {}),
	call('read_file', {path: 5}),
	call('tasks', {items: [{text: 'parse', state: 'done'}]}),
];

/** `texts`: the texts of the items, without what differs between two runs. Calls end in any order. */
type Recorded = {readonly items: readonly Item[]; readonly texts: readonly string[]};

/** Runs a session in print mode. */
async function recordIn(language: string): Promise<Recorded> {
	const project = await tempProject({
		'script.json': JSON.stringify([calls, [{type: 'text', text: 'Done.'}]]),
		'a.md': 'one\n',
		'b.md': 'one\n',
		'empty.txt': '',
		'.env': 'A=1\n',
		'image.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]),
		'binary.bin': new Uint8Array([0, 255, 254, 1]),
		'long.txt': 'word\n'.repeat(5000),
		'.inkpod/workflows/broken/WORKFLOW.md': '---\nname: 1\n---\nx\n',
	});
	await mkdir(join(project.dir, 'folder'));
	await writeFile(join(project.dir, 'folder/c.md'), 'one\n');
	const {home} = await runProgram({
		args: [
			'-p',
			'--model',
			'scripted:script.json',
			'--approval',
			'auto',
			'--no-confine',
			'--allow',
			'fetch',
			prompt,
		],
		cwd: project.dir,
		env: {INKPOD_LANGUAGE: language},
	});
	const items = (await onlyHistory(home)).items as readonly Item[];
	const comparable = (text: string) =>
		text
			.replaceAll(project.dir, '/project')
			.replaceAll(home, '/home')
			.replaceAll(/tmp-inkpod-\w+-/g, '')
			.replaceAll(/\b[\dA-HJKMNP-TV-Z]{26}\b|\b[\da-f]{12,}\b|\d{4}-\d\d-\d\dT[\d:.]+Z|"mtimeMs":[\d.]+/g, '#');
	const texts = items.map(item => comparable(JSON.stringify(textsOf(item)))).toSorted();
	return {items, texts};
}

const prompt = 'see @missing.txt @binary.bin @a.md:9-10 @ftp://x @https://no.invalid/ @long.txt';

it.each(['ja', 'zh'])('a session in %s has the record that it has in English', async language => {
	const [own, other] = await Promise.all([recordIn(language), recordIn('en')]);
	expect(own.texts.filter(text => !other.texts.includes(text))).toEqual([]);
	expect(own.texts).toHaveLength(other.texts.length);
	expect(own.items.length).toBeGreaterThan(calls.length);
	expect(own.items.filter(item => /\p{Script=Han}|\p{Script=Hiragana}/u.test(JSON.stringify(item)))).toEqual([]);
});

function textsOf(item: Item): unknown {
	if (item.type === 'tool_result') return [item.summary, item.content.replaceAll(/(?:y\n)+/g, 'y\n')];
	if (item.type === 'message') return [item.text, item.origin];
	return item.type === 'run_end' ? [item.outcome, item.cause] : item.type;
}
