// The contents of the pictures in the docs: for each picture, the arguments of inkpod and the steps.

export const offline = ['--model', 'offline'];

/** A server that accepts one key. The screen shows its address, so it must be the same in every picture. */
export const keyServer = {key: 'sk-0123456789abcdef', port: 8787};
const greetAnswer = [
	'`src/greet.ts` exports one function, `greet(name, language)`. It returns a greeting in English or in Japanese.',
	'English is the default.',
].join(' ');

const familyPrompt = 'check the sources and the README';

const planText = [
	'## A greeting in French',
	'',
	"1. `src/greet.ts`: accept `'fr'` as a language, and return `Bonjour`.",
	'2. `src/main.ts`: print the greeting in French, too.',
	'3. Run `node src/main.ts` and compare its three lines.',
	'',
	'The default stays English, so nothing that exists changes.',
].join('\n');

/**
The scenes of the pictures. The scenes of the first minute are also drawn for a light terminal. Each has the arguments
of inkpod and its steps. A step types something, or waits for a text on the screen. The picture shows the screen after
the last step.
*/
export const scenes = {
	start: {args: offline, isLight: true, steps: [{until: /To connect one[^]*branch main/u}]},
	'first-screen-key': {
		isLight: true,
		args: [],
		env: {ANTHROPIC_API_KEY: 'none'},
		earlier: ['explain @src/greet.ts', 'add a greeting in French'],
		steps: [{until: /branch main[^]*Alt\+2|Alt\+2[^]*branch main/u}],
	},
	'first-screen-local': {
		isLight: true,
		args: [],
		models: ['qwen3:8b'],
		steps: [{until: /Enter uses[^]*branch main/u}],
	},
	'refused-key': {
		isLight: true,
		rows: 18,
		args: ['--model', 'openai/gpt-6-astra'],
		env: {OPENAI_API_KEY: 'sk-an-old-key', OPENAI_BASE_URL: `http://127.0.0.1:${keyServer.port}`},
		answers: [[{type: 'text', text: greetAnswer}]],
		steps: [
			ready(),
			...type('what does src/greet.ts export?'),
			{until: /Alt\+L for another key/u},
			{type: '\u001bl'},
			{until: /Key for openai/u},
			{type: keyServer.key},
			{until: '••••'},
			{type: '\r'},
			{until: /English is the default[^]*still set[^]*idle/u},
		],
	},
	transcript: {args: offline, steps: [ready(), ...submit('explain @src/greet.ts and @notes.md')]},
	tools: {args: offline, steps: [ready(), ...submit('find TODO')]},
	card: {
		args: offline,
		steps: [ready(), ...type('replace Hello by Welcome in src/greet.ts'), {until: listening('1. Yes')}],
	},
	stopped: {
		args: [...offline, '--approval', 'auto'],
		steps: [
			ready(),
			...type('run sh build.sh'),
			{until: /step 3/u},
			{type: '\u001b'},
			{until: /Interrupted · Enter to continue/u},
		],
	},
	context: {
		args: offline,
		steps: [ready(), ...submit('explain @src/greet.ts'), ...submit('find TODO'), ...open('/context', /prompt.*%/u)],
	},
	rewind: {
		args: [...offline, '--approval', 'accept-edits'],
		steps: [
			ready(),
			...submit('explain @src/greet.ts'),
			...submit('replace Hello by Welcome in src/greet.ts'),
			...submit('find TODO'),
			...open('/rewind', /Rewind to before[^]*1 file/u),
		],
	},
	sessions: {
		earlier: ['explain @src/greet.ts', 'find TODO', 'add a greeting in French'],
		args: ['-r'],
		rows: 20,
		steps: [{until: /find TODO[^]*explain[^]*──[^]*▌ add a greeting/u}],
	},
	questions: {
		...scripted([
			[
				call('ask', {
					questions: [
						{
							title: 'Which languages should `greet` know?',
							multiple: true,
							options: ['English', 'Japanese', 'French', 'German'],
						},
					],
				}),
			],
		]),
		steps: [ready(), ...type('add more languages'), {until: listening('6. No answer')}],
	},
	plan: {
		...scripted([[call('plan', {plan: planText})]], ['--plan']),
		steps: [ready(), ...type('add a greeting in French'), {until: listening('1. Yes, and ask')}],
	},
	children: {
		...scripted([], ['--approval', 'accept-edits']),
		rows: 20,
		choose: answerFamily,
		steps: [ready(), ...type(familyPrompt), {until: /Both parts[^]*idle/u}],
	},
	'mcp-trust': {
		args: offline,
		files: {
			'.mcp.json': JSON.stringify({
				mcpServers: {
					notes: {command: 'node', args: ['tools/notes.js']},
					tracker: {type: 'http', url: 'https://tracker.example/mcp'},
				},
			}),
		},
		steps: [{until: listening('1. Yes, trust all')}],
	},
	replay: {
		earlier: ['explain @src/greet.ts'],
		rows: 22,
		args: id => ['replay', id, '--speed', '9000'],
		steps: [{until: /(\d+)\/\1 · /u}],
	},
};

/** The page that `inkpod export` writes of a session: its prompts, and the size of the picture. */
export const exportedPage = {prompts: ['explain @src/greet.ts', 'find TODO'], width: 1000, height: 760};

/** A session with a model that gives these answers. */
function scripted(answers, args = []) {
	return {args: ['--model', 'openai/gpt-6-astra', ...args], env: {OPENAI_API_KEY: keyServer.key}, answers};
}

function call(name, args) {
	return {type: 'tool_call', name, arguments: args};
}

/**
Answers the requests of a parent and its two children. The requests arrive at the same time, so their text identifies
them.
*/
async function answerFamily({body}) {
	const says = text => [{type: 'text', text}];
	if (body.includes(familyPrompt)) {
		if (body.includes('function_call_output')) return says('Both parts are sound. `greet` has no test yet.');
		return ['sources', 'README'].map(part =>
			call('pod', {task: `Read the ${part} and report.`, title: `The ${part}`}),
		);
	}
	if (body.includes('Read the sources')) {
		if (!body.includes('function_call_output')) return [call('read_file', {path: 'src/greet.ts'})];
		return says('`greet` handles both languages.');
	}
	return says('The README says what the program does.');
}

/** Waits until the chat is open and ready for a message. */
function ready() {
	return {until: /idle/u};
}

/** Waits until the card and its hint are drawn. */
function listening(choice) {
	return screen => screen.includes(choice) && screen.includes('Esc: ');
}

/** Types a message, and sends it when the composer shows the message. */
function type(text) {
	return [{type: text}, {until: text}, {type: '\r'}];
}

/** Opens a page. */
function open(command, shows) {
	return [...type(command), {until: screen => !screen.includes(`❯ ${command}`) && shows.test(screen)}];
}

/** Sends a message, and waits for the end of its turn. The turn's last line begins with its time. */
export function submit(text) {
	const isOver = screen => {
		const start = screen.lastIndexOf(`▌ ${text}`);
		const turn = screen.slice(start);
		return start >= 0 && /^ {2}[\d.]+ s\b/mu.test(turn) && /idle/u.test(turn);
	};
	return [...type(text), {until: isOver}];
}
