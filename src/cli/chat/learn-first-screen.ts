import {
	findLocalModels,
	lastSessions,
	loopbackServers,
	projectDir,
	readGitHead,
	readRecentModels,
	sessionsRoot,
	type Env,
	type Plan,
	type SessionSummary,
} from '../../pod/index.ts';
import {sessionDifferences, sessionName} from '../../pod/protocol.ts';
import {maxRecent, type FirstNews, type RecentSession} from '../../screen/model/first-screen/first-screen-state.ts';
import {age} from '../../text/formats.ts';
import {looksForModel} from './welcome.ts';

/** The parts of the plan that the first screen needs. */
type Known = Pick<Plan, 'scope' | 'owners' | 'model' | 'modelSources'>;

/**
Finds the data that the first screen shows after its first frame: the branch, the last sessions, and the models of this
machine. Each part is reported as soon as it is known, unless the screen is closed. If a part cannot be read, it is
reported as absent.
*/
export function learnFirstScreen(
	plan: Known,
	env: Env,
	signal: AbortSignal,
	tell: (news: FirstNews) => void,
): Promise<void> {
	const parts = [
		headNews(plan),
		recentNews(plan, env),
		...(looksForModel(plan) ? [modelNews(plan, env, signal)] : []),
	];
	const told = parts.map(async part => {
		const news = await part;
		if (!signal.aborted) tell(news);
	});
	return Promise.all(told).then(() => {});
}

async function headNews({scope, owners}: Known): Promise<FirstNews> {
	const head = await readGitHead(scope.pwd, owners);
	return head === undefined ? {} : {head};
}

async function recentNews({scope}: Known, env: Env): Promise<FirstNews> {
	// No report here: the list of sessions reports a folder that cannot be read.
	const last = await lastSessions(projectDir(sessionsRoot(env), scope.pwd), maxRecent).catch(() => []);
	const differences = sessionDifferences(last);
	return {recent: last.map(session => recentSession(session, differences.get(session.dir)))};
}

/**
Returns a row of the list of recent sessions. `difference`: what distinguishes the session from another one with the
same name.
*/
function recentSession(session: SessionSummary, difference: string | undefined): RecentSession {
	const words = [sessionName(session), ...(difference === undefined ? [] : [difference])].join(' · ');
	return {id: session.id, words, age: age(Date.now() - Date.parse(session.changed))};
}

/**
Returns the names of the local models. A recently used model comes first. A model that sends messages to another machine
is not offered.
*/
async function modelNews({modelSources}: Known, env: Env, signal: AbortSignal): Promise<FirstNews> {
	const servers = loopbackServers(modelSources.config.servers);
	const [found, recent] = await Promise.all([
		findLocalModels(env, servers, {signal, timeoutMs}),
		readRecentModels(env),
	]);
	const names = found.filter(({isRemote}) => isRemote !== true).map(({name}) => name);
	const used = recent.filter(name => names.includes(name));
	return {localModels: [...new Set([...used, ...names])]};
}

/**
The time limit for the local servers. No other code waits for these servers, and a machine that has just started may be
slow.
*/
const timeoutMs = 1500;
