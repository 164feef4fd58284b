import {setTimeout as wait} from 'node:timers/promises';
import type {PodClient} from '../../pod/protocol.ts';
import {shutDown} from './exit-signals.ts';
import {conversationSaved, conversationSavedInPart} from './texts.ts';

/**
Closes a pod after a bug in other code. Saves the text that was streaming and releases the session's lock. Returns a
sentence about what is saved. Never rejects, and never waits longer than `patienceMs`.
*/
export async function emergencyShutdown(pod: PodClient): Promise<string> {
	try {
		const closed = shutDown(pod).then(problem => problem ?? conversationSaved);
		return await Promise.race([closed, wait(patienceMs, conversationSavedInPart, {ref: false})]);
	} catch {
		return conversationSavedInPart;
	}
}

/** The maximum time to wait, which is longer than the time that tools may take to clean up. */
const patienceMs = 5000;
