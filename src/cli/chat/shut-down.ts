import type {PodClient} from '../../pod/protocol.ts';

/** Closes a pod. Resolves with a sentence if that fails. */
export async function shutDown(pod: PodClient): Promise<string | undefined> {
	let problem: string | undefined;
	const stop = pod.subscribe(event => {
		if (event.type === 'closed') problem = event.sentence;
	});
	await pod.send({method: 'shutdown'});
	stop();
	return problem;
}
