import {where} from '../start/options.ts';
import {onlyWord, subcommand} from '../start/subcommand.ts';
import {needsOneId} from '../start/texts.ts';

export const verify = subcommand({
	name: 'verify',
	words: '<id>',
	about: "check a session's history, or a bundle",
	completes: 'sessions and files',
	options: {requests: {about: 'rebuild its requests and compare'}},
	read(words, values) {
		const id = onlyWord(words);
		if (id === undefined) return needsOneId('verify');
		const place = where(values);
		return namesBundle(id)
			? ({command: 'verifyBundle', file: id, ...place} as const)
			: ({command: 'verify', id, ...(values.requests === true && {requests: true}), ...place} as const);
	},
	async run(launch, {version, env, stdout, stderr}) {
		const records = await import('../records.ts');
		return launch.command === 'verify'
			? records.verify({...launch, env, stdout, stderr})
			: records.verifyBundle({...launch, version, stdout, stderr});
	},
});

/** Tells whether a word names a bundle and not the id of a session. */
export function namesBundle(word: string): boolean {
	return word.includes('/') || /\.(?:tar|tar\.gz|tgz)$/i.test(word);
}
