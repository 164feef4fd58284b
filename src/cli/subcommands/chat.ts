import {approvalModes, efforts, type ApprovalMode, type Effort} from '../../pod/first-frame.ts';
import {t} from '../../language/index.ts';
import {
	inputFormats,
	outputFormats,
	type ChatLaunch,
	type OutputFormat,
	type PrintLaunch,
	type Start,
} from '../start/launch.ts';
import {chatOptions, where, type ChatValues} from '../start/options.ts';
import {numberIn, subcommand} from '../start/subcommand.ts';
import {notOneOf} from '../start/texts.ts';

/** Everything that is not a subcommand: the chat, print mode, `--bg`, and the texts about inkpod itself. */
export const chat = subcommand({
	name: '',
	forms: [
		{words: '[prompt]', about: 'open the chat; a prompt is sent at once'},
		{
			words: '-p [prompt]',
			about: 'print the answer and exit; the prompt is the argument, stdin, or both',
		},
	],
	options: chatOptions,
	isChat: true,
	read(words, values) {
		if (values.help === true) return {command: 'help'} as const;
		if (values.version === true) return {command: 'version'} as const;
		return readPrompt(values, words.join(' '));
	},
	async run(launch, io) {
		switch (launch.command) {
			case 'chat':
				return (await import('../chat.ts')).chat(launch, io);
			case 'print':
				return (await import('../print/run-print.ts')).runPrint(launch, io);
			case 'background': {
				const {background} = await import('../serve/commands.ts');
				const {env, stdin, stdout, stderr} = io;
				return background({...launch, env, stdin, stdout, stderr});
			}
			case 'help': {
				const {helpText} = await import('../help/index.ts');
				io.stdout.write(helpText(io.table));
				return 0;
			}
			case 'version':
				io.stdout.write(`${io.version}\n`);
		}
		return 0;
	},
});

/** Reads the options of a chat for a subcommand that opens one. Returns a sentence about a mistake. */
export function readChat(values: ChatValues): ChatLaunch | string {
	const read = readPrompt(values, '');
	return typeof read === 'string' || read.command === 'chat' ? read : bgStandsAlone;
}

/** Returns the options of a start, without those that `readChat` checks. */
export function startOf(values: ChatValues, approval?: ApprovalMode, effort?: Effort): Start {
	return {
		session: sessionOf(values),
		readOnly: values['read-only'] === true,
		...(values.writable === true && {writable: true}),
		addDirs: values['add-dir'] ?? [],
		...(values.fork === true && {fork: true}),
		...(values.trust === true && {trust: true}),
		...(values['no-confine'] === true && {noConfine: true}),
		...(values['model-exact'] === true && {isExact: true}),
		approval,
		model: values.model,
		effort,
		options: values.option,
		allow: values.allow,
		deny: values.deny,
		systemPromptFile: values['system-prompt-file'],
		...where(values),
	};
}

type Background = {readonly command: 'background'; readonly prompt: string} & Start;

function readPrompt(values: ChatValues, prompt: string): ChatLaunch | PrintLaunch | Background | string {
	if (values.continue === true && values.resume !== undefined) return t`Use -c or -r, not both.`;
	const start = readStart(values);
	if (typeof start === 'string') return start;
	const {'output-format': format} = values;
	if (values.bg === true)
		return values.print === true || format !== undefined
			? bgStandsAlone
			: {command: 'background', prompt, ...start};
	if (values.print === true) return readPrint(values, prompt, start);
	const isForPrint = [format, values['input-format'], values['json-schema']].some(value => value !== undefined);
	if (isForPrint) return t`--output-format only works in print mode. Add -p.`;
	return {command: 'chat', prompt, ...screenOptions(values), ...start};
}

/** Checks the mode, the effort and the limits, because their values must have a certain form. */
function readStart(values: ChatValues): Start | string {
	const {effort, plan, approval = plan === true ? 'plan' : undefined} = values;
	if (plan === true && values.approval !== undefined)
		return t`Use --plan or --approval, not both: --plan means --approval plan.`;
	if (!isAbsentOrIn(approvalModes, approval)) return notOneOf('--approval', approval, approvalModes);
	if (!isAbsentOrIn(efforts, effort)) return notOneOf('--effort', effort, efforts);
	const maxTurns = numberIn(values['max-turns'], /^[1-9]\d{0,8}$/);
	if (maxTurns === 'wrong') return t`Invalid --max-turns. Use a whole number of model calls, such as 20.`;
	const maxCost = numberIn(values['max-cost'], /^(?=.*[1-9])\d{1,6}(?:\.\d{1,6})?$/);
	if (maxCost === 'wrong') return t`Invalid --max-cost. Use an amount in USD, such as 2.50.`;
	return {...startOf(values, approval, effort), ...(maxTurns && {maxTurns}), ...(maxCost && {maxCost})};
}

function readPrint(values: ChatValues, prompt: string, start: Start): PrintLaunch | string {
	const {'output-format': format, 'input-format': input = 'text', 'json-schema': schema} = values;
	if (start.session.kind === 'pick') return t`Print mode needs a session id after -r.`;
	if (!isAbsentOrIn<OutputFormat>(outputFormats, format)) return notOneOf('--output-format', format, outputFormats);
	if (!isAbsentOrIn(inputFormats, input)) return notOneOf('--input-format', input, inputFormats);
	const isStream = input === 'stream-json';
	if (isStream && (format !== 'stream-json' || schema !== undefined))
		return t`--input-format stream-json needs --output-format stream-json, and takes no --json-schema.`;
	return {command: 'print', prompt, format: format ?? 'text', schema, ...(isStream && {isStream}), ...start};
}

const bgStandsAlone = t`--bg cannot be combined with -p, --output-format or inkpod attach.`;

function sessionOf({continue: isContinued, fork, resume}: ChatValues): Start['session'] {
	if (isContinued === true || (fork === true && resume === undefined)) return {kind: 'latest'};
	if (resume === undefined) return {kind: 'new'};
	return resume === '' ? {kind: 'pick'} : {kind: 'id', id: resume};
}

function screenOptions(
	values: ChatValues,
): Pick<ChatLaunch, 'noSocket' | 'noMouse' | 'inline' | 'screenReader' | 'dump'> {
	return {
		...(values['no-socket'] === true && {noSocket: true}),
		...(values['no-mouse'] === true && {noMouse: true}),
		...(values.inline === true && {inline: true}),
		...(values['screen-reader'] === true && {screenReader: true}),
		...(values.dump === true && {dump: true}),
	};
}

function isAbsentOrIn<Word extends string>(words: readonly Word[], text: string | undefined): text is Word | undefined {
	return text === undefined || words.some(word => word === text);
}
