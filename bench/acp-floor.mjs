// A minimal Node program as an ACP agent: it only answers the first line.
import {createInterface} from 'node:readline';

createInterface({input: process.stdin}).once('line', line => {
	process.stdout.write(
		`${JSON.stringify({jsonrpc: '2.0', id: JSON.parse(line).id, result: {protocolVersion: 1}})}\n`,
	);
});
