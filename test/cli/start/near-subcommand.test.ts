import {PassThrough} from 'node:stream';
import {describe, expect, it} from 'vitest';
import {parseLaunch, subcommandNames} from '../../../src/cli/args.ts';
import {askMeant} from '../../../src/cli/start/near-subcommand.ts';

async function meant(argv: readonly string[], typed?: string) {
	const parsed = parseLaunch(argv);
	if (!parsed.ok) throw new Error(parsed.sentence);
	const isTTY = typed !== undefined;
	const stdin = Object.assign(new PassThrough(), {isTTY});
	const stdout = Object.assign(new PassThrough(), {isTTY});
	stdin.end(typed ?? '');
	const answer = await askMeant(argv, parsed.launch, {names: subcommandNames, stdin, stdout});
	return {...answer, asked: String(stdout.read() ?? '')};
}

describe('a bare word that is close to a subcommand', () => {
	it.each([
		[['sesions'], ['sessions']],
		[['help'], ['--help']],
		[['halp'], ['--help']],
		[['model'], ['models']],
		[
			['verfy', '01JX12'],
			['verify', '01JX12'],
		],
		[
			['--cwd', '..', 'docter'],
			['--cwd', '..', 'doctor'],
		],
	])('becomes the subcommand when you agree: %j', async (argv, expected) => {
		const {asked, ...answer} = await meant(argv, 'y\n');
		expect(answer).toEqual({kind: 'arguments', argv: expected});
		expect(asked).toContain(`Run "inkpod ${expected.find(word => !argv.includes(word))}" instead?`);
	});

	it('is sent when you say no, and not when you say anything else', async () => {
		expect(await meant(['sesions'], 'n\n')).toMatchObject({kind: 'prompt'});
		for (const typed of ['', '\n', 'yesterday\n'])
			expect(await meant(['sesions'], typed)).toMatchObject({kind: 'neither'});
	});

	it('is refused with the suggestion without a terminal', async () => {
		expect(await meant(['sesions'])).toEqual({
			kind: 'neither',
			sentence: expect.stringContaining('Did you mean: inkpod sessions?'),
			asked: '',
		});
	});

	it.each([
		[['explain']],
		[['hi']],
		[['help me']],
		[['verfy', 'nothing']],
		[['verfy 01JX12']],
		[['--', 'sesions']],
		[['sesions', 'and', 'more']],
		[['-c', 'sesions']],
		[['-p', 'sesions']],
		[['sessions']],
		[[]],
	])('does not include %j', async argv => {
		expect(await meant(argv)).toEqual({kind: 'prompt', asked: ''});
	});
});
