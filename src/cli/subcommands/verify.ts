import {where} from '../start/options.ts';
import {onlyWord, subcommand} from '../start/subcommand.ts';
import {needsOneId} from '../start/texts.ts';

export const verify = subcommand({
	name: 'verify',
	words: '<id>',
	about: "check a session's history, or a bundle",
	completes: 'sessions and files',
	options: {
		requests: {about: 'rebuild its requests and compare'},
		signers: {
			value: 'FILE',
			shown: 'list',
			completes: 'files',
			about: 'accept the signatures of the keys in FILE',
		},
	},
	read(words, values) {
		const id = onlyWord(words);
		if (id === undefined) return needsOneId('verify');
		const {requests, signers} = values;
		const how = {...(signers !== undefined && {signers}), ...where(values)};
		return namesBundle(id)
			? ({command: 'verifyBundle', file: id, ...how} as const)
			: ({command: 'verify', id, ...(requests === true && {requests}), ...how} as const);
	},
	async run(launch, {version, env, stdout, stderr}) {
		const records = await import('../records.ts');
		return launch.command === 'verify'
			? records.verify({...launch, env, stdout, stderr})
			: records.verifyBundle({...launch, version, env, stdout, stderr});
	},
});

/** Tells whether a word names a bundle and not the id of a session. */
export function namesBundle(word: string): boolean {
	return word.includes('/') || /\.(?:tar|tar\.gz|tgz)$/i.test(word);
}
