import {createClient} from './core/client.ts';
import {referencesOf} from './core/feature.ts';
import type {CoreOptions} from './core/options.ts';
import {createPermissions} from './core/permissions.ts';
import {describeTools} from './core/offered-tools.ts';
import type {CreateFeature, PodParts} from './core/pod-parts.ts';
import {createRequests} from './core/requests.ts';
import {createSessionParts} from './core/session.ts';
import type {PodClient} from './protocol.ts';

/** Opens a pod with these features on a session. `shutdown` closes the pod and releases the session. */
export function createPod<Options extends CoreOptions>(
	options: Options,
	list: ReadonlyArray<CreateFeature<Options>>,
): PodClient {
	const session = createSessionParts(options);
	const permissions = createPermissions(options, session, mode => features.forEach(each => each.setMode?.(mode)));
	// Features use `send`, `openChild` and the getters only after all parts have been created.
	const pod: PodParts<Options> = {
		options,
		session,
		permissions,
		send: async method => client.send(method),
		openChild: own => createPod({...options, isFolderChosen: true, ...own}, list),
		get features() {
			return features;
		},
		get references() {
			return references;
		},
		get requests() {
			return requests;
		},
	};
	const features = list.map(create => create(pod));
	const references = referencesOf(features);
	const requests = createRequests(pod);
	const client: PodClient = createClient(pod);
	void describeTools(pod);
	return client;
}
