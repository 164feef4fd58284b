import {modelFacts, readFacts, type Env, type SessionSummary} from '../../pod/index.ts';

/**
Reads the facts of sessions that have changed since their facts were stored, such as sessions of killed processes.
*/
export async function withFacts<Session extends SessionSummary>(
	sessions: readonly Session[],
	env: Env,
): Promise<Session[]> {
	const models = await modelFacts(env);
	const {signal} = new AbortController();
	const read: Session[] = [];
	for (const session of sessions) {
		const isOld = session.factsAreOld === true && session.problem === undefined;
		const {facts} = isOld ? await readFacts(session.dir, signal, models) : session;
		read.push(isOld && facts !== undefined ? {...session, facts, factsAreOld: undefined} : session);
	}
	return read;
}
