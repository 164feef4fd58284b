import {createAmazonBedrock} from '@ai-sdk/amazon-bedrock';
import type {Model} from '../history/model.ts';
import {wireModel} from './model.ts';
import {noteShortIds, noteTrimmed, noteUnsigned} from './package-rules.ts';
import {wordIds} from './prompt.ts';
import {cleanFrames} from './reading/converse/clean-frames.ts';
import type {Server, WireOptions} from './wire.ts';

/**
Returns the wire of Amazon Bedrock's Converse API. Its answer is a stream of binary frames. A request is signed with the
user's keys, or has a bearer token.
*/
export function bedrock(server: Server, options: WireOptions): Model {
	const {cloud} = options;
	const {region = '', credentials} = cloud?.kind === 'aws' ? cloud : {};
	return wireModel({
		...server,
		options,
		version: undefined,
		dialect: () => ({dataKey: 'amazonBedrock', mergeUser: true, callIds: wordIds}),
		cleaner: cleanFrames,
		noteAdditions({messages}, note) {
			const keys = ['amazonBedrock', 'bedrock'];
			noteUnsigned(messages, {note, keys, signedBy: ['signature', 'redactedContent', 'redactedData']});
			noteTrimmed(messages, note);
			if (options.model.includes('anthropic')) note('stream_options', 'additionalModelResponseFieldPaths');
			if (options.model.includes('mistral.')) noteShortIds(messages, note);
		},
		connect({model, apiKey, ...connection}) {
			const access = credentials === undefined ? {apiKey} : {...credentials, apiKey: ''};
			return createAmazonBedrock({...connection, ...access, region})(model);
		},
	});
}
