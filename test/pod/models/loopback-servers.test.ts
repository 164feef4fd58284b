import {describe, expect, it} from 'vitest';
import {loopbackServers} from '../../../src/pod/models/loopback-servers.ts';

describe('the servers on this machine', () => {
	it('are those whose address is a loopback address or the usual one', () => {
		const servers = {
			ollama: {baseURL: 'http://localhost:1/v1'},
			lmstudio: {baseURL: 'http://[::1]:1'},
			vllm: {baseURL: 'http://127.0.0.1.example.com/v1'},
			'llama.cpp': {baseURL: 'http://10.0.0.7:8080'},
			mine: {keyVariable: 'X'},
		};
		expect(Object.keys(loopbackServers(servers))).toEqual(['ollama', 'lmstudio', 'mine']);
	});
});
