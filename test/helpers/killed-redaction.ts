import {text} from 'node:stream/consumers';
import {redactSession} from '../../src/pod/disk/redact/redact-session.ts';
import {createRemover} from '../../src/pod/disk/redact/remover.ts';
import {systemClock} from '../../src/worker/index.ts';

// Removes the secret on stdin from the session whose folder is the argument. A test kills this process.
const secret = await text(process.stdin);
process.stdout.write('begins\n');
await redactSession(process.argv[2] ?? '', {
	remover: createRemover('text', [secret]),
	isTrial: false,
	clock: systemClock(),
});
process.stdout.write('ended\n');
