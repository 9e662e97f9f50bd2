/** @param {Context} _c @returns {Promise<Node>} */
export async function experiments(_c) { return document.createElement("p"); }
