import {providerFacts} from '../../worker/index.ts';
import type {ModelChoice} from '../config/model-choice.ts';
import {keySourceText} from './keys/source-text.ts';
import {isLoopback} from './loopback-servers.ts';
import {accessTexts} from './texts.ts';

type Chosen = Pick<Extract<ModelChoice, {readonly ok: true}>, 'spec' | 'keySource'>;

/**
Says where the key of a chosen model is from, or why it needs none. A built-in model has no server, and a login of a
cloud is not a key: for them there is nothing to say.
*/
export function modelAccess({spec, keySource}: Chosen): string | undefined {
	if (keySource !== undefined) return keySourceText(keySource);
	const facts = providerFacts(spec.provider, spec.server);
	if (facts?.local === true && (spec.baseURL === undefined || isLoopback(spec.baseURL))) return accessTexts.local;
	return facts?.wire === 'openai-compatible' ? accessTexts.noKey : undefined;
}
