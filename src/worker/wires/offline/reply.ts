import type {ModelRequest} from '../../history/model.ts';
import {advance} from './advance.ts';
import type {Call, Reply} from './call.ts';
import type {GuideTool} from './guide-tools.ts';
import {code} from './markdown.ts';
import {readIntents} from './read-intents.ts';
import {reportDir, reportFile, reportNotification, reportWorkflow} from './report.ts';
import {summaryReply} from './summary.ts';
import {attachExample, greeting, guideNote, howToConnect, introduction, notAttached, notUnderstood} from './texts.ts';
import {readTurn, type Turn} from './turn.ts';

/** Returns the guide's answer: tool calls while the request needs more of them, then a report of their results. */
export function replyTo(request: ModelRequest, tools: readonly GuideTool[]): Reply {
	const summary = summaryReply(request);
	if (summary !== undefined) return summary;
	const turn = readTurn(request, tools);
	if (turn.notifications.length > 0)
		return {text: turn.notifications.map(reportNotification).join('\n\n'), calls: []};
	const {calls, reports} = advance(readIntents(turn.message), turn);
	if (calls.length > 0) return {text: turn.steps.length === 0 ? announce(calls, turn) : '', calls};
	const parts = [
		...turn.unresolved.map(notAttached),
		...reports,
		...turn.files.filter(({isNew, path}) => isNew && !reports.some(text => text.includes(path))).map(reportFile),
		...turn.dirs.map(reportDir),
		...turn.workflows.map(reportWorkflow),
	];
	if (parts.length === 0) return {text: introduce(turn), calls: []};
	return {text: [...parts, ...(turn.isFirst ? [guideNote] : [])].join('\n\n'), calls: []};
}

function announce(calls: readonly Call[], {tools}: Turn): string {
	const activity = (name: string) => tools.find(tool => tool.name === name)?.doing ?? name;
	const text = calls.map(({name, args}) => `${activity(name)} ${code(mainArgument(args))}`).join(', ');
	return `${text.replace(/^./, letter => letter.toUpperCase())} …`;
}

function mainArgument(args: Call['args']): string {
	return [args['pattern'], args['command'], args['path']].find(value => typeof value === 'string') ?? '';
}

const isGreeting = /^\s*(?:hi|hello|hey|good (?:morning|day|evening)|こんにちは|hallo|bonjour)\b/i;

function introduce({message, tools, offered}: Turn): string {
	const possible = tools.flatMap(({name, example}) => (example !== undefined && offered.has(name) ? [example] : []));
	return [
		isGreeting.test(message) ? greeting : introduction,
		notUnderstood,
		[attachExample, ...possible].map(text => `- ${text}`).join('\n'),
		howToConnect,
	].join('\n\n');
}
