/** The commands that read stored sessions as records. They share most of their code, so they are one chunk. */
export {exportBundle} from './bundle/export-bundle.ts';
export {verifyBundle} from './bundle/verify-bundle.ts';
export {exportSession} from './export/export.ts';
export {exportFromChat} from './export/export.ts';
export {sign} from './signatures/sign.ts';
export {verify} from './verify.ts';
