import {expect, test} from 'vitest';
import {looksSecret} from '../../../src/pod/scope/secret.ts';

test.each([
	'.env', 'config/.env', '.env.local', '.env.production', '.ENV', 'prod.env', '.envrc',
	'id_rsa', 'id_ed25519', 'id_ecdsa_sk', 'id_rsa.bak', '/home/me/.ssh/id_dsa', 'server.pem', 'tls.key', 'store.p12', 'a.pfx', 'AuthKey.p8', 'putty.ppk', 'x.jks', 'pass.kdbx',
	'.netrc', '_netrc', '.npmrc', '.pypirc', '.pgpass', '.git-credentials', '.htpasswd', 'credentials', '.aws/credentials', 'credentials.json', 'client_secret.json', 'service-account-prod.json', 'secrets.yaml', 'terraform.tfstate',
	'.docker/config.json', '/root/.kube/config', '.gnupg/private-keys', '/proc/self/environ', '/proc/17/task/17/environ', 'C:\\Users\\me\\.env',
	'.env~', '.env-prod', '.env_local', 'server.pem.bak', 'id_ed25519~', '.netrc.old', '/home/me/.ssh/deploy', '.ssh/work_key',
])('%s, looks like a secret', path => {
	expect(looksSecret(path)).toBe(true);
});

test.each([
	'.env.example', '.env.sample', '.env.template', 'deploy/.env.production.example', 'id_rsa.pub', 'key.ts', 'environment.ts', 'env', 'src/env.ts', 'credentials.ts', 'secrets.md', 'keyboard.json', 'config.json', 'kube/config', 'my_id_rsa_notes.md', '.envoy', 'monkey', '/project/proc/self/environ', '.ssh/config', '.ssh/known_hosts', '.ssh/deploy.pub', 'notes.md.bak', '.env.example~',
])('%s, does not', path => {
	expect(looksSecret(path)).toBe(false);
});
