module.exports = {
  undersign: {
    input: "openapi.json",
    output: {target: "orval.ts", client: "fetch", baseUrl: {getBaseUrlFromSpecification: true}},
  },
};
