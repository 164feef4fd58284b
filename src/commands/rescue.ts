import {setTimeout as wait} from 'node:timers/promises';
import type {PodClient} from '../pod/protocol.ts';
import {shutDown} from './switch-session.ts';

/**
Closes a pod after a bug elsewhere: what was streaming is kept, the session is let go of. Answers in a sentence what
became of it; never rejects, and does not wait for ever.
*/
export async function rescue(pod: PodClient): Promise<string> {
	try {
		const closed = shutDown(pod).then(problem => problem ?? saved);
		return await Promise.race([closed, wait(patienceMs, tooSlow, {ref: false})]);
	} catch {
		return tooSlow;
	}
}

const saved = 'What was said up to now is saved.';
const tooSlow = 'What was said up to now is saved, but for what was on its way: the session could not be closed.';
/** Longer than tools may take to tidy up. */
const patienceMs = 5000;
