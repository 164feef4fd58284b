import type {Item} from '../../worker/index.ts';
import type {Tag} from '../../language/index.ts';

/** The model that a request asked for (`provider/name`), and the name of the model that answered, from the server. */
export type NamePair = {readonly asked: string; readonly answered: string};

/** The topic of a notice about an answer from a model that inkpod did not request. */
export const answeredTopic = 'answered';

/** The topic of a notice that the user accepts the answers of such a model in this session. */
export const acceptedTopic = 'answered_accepted';

/** Returns the two names, if this item is a notice with this topic. */
export function namePairOf(item: Item, topic: typeof answeredTopic | typeof acceptedTopic): NamePair | undefined {
	const origin = item.type === 'message' && item.role === 'system' ? item.origin : undefined;
	if (origin?.kind !== 'notice' || origin['about'] !== topic) return undefined;
	const {asked, answered} = origin;
	return typeof asked === 'string' && typeof answered === 'string' ? {asked, answered} : undefined;
}

/** Returns the provider's own name of a model (`provider/name`). The name of a script has no provider. */
export function ownNameOf(model: string): string {
	return model.replace(/^[a-z][\w.-]*\//, '');
}

/** Returns the sentence about the two models. The name from the server is untrusted. */
export function answeredText({asked, answered}: NamePair, t: Tag): string {
	return t`Asked for ${ownNameOf(asked)}, answered by ${answered.replaceAll(/\s+/g, ' ')}`;
}
